import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';

/** A field as documents show it. */
export interface FieldDescription {
  readonly name: string;
  /** A JSON type, or `message` with `typeName`. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'message';
  readonly format: string | undefined;
  readonly typeName: string | undefined;
  readonly choices: readonly string[] | undefined;
  readonly repeated: boolean;
  readonly about: string;
}

export interface MessageDescription {
  readonly typeName: string;
  readonly about: string;
  readonly fields: readonly FieldDescription[];
}

type Comments = (proto: object) => string;

export function describeMessage(desc: DescMessage, comments: Comments): MessageDescription {
  return {
    typeName: desc.typeName,
    about: comments(desc.proto),
    fields: desc.fields.map((field) => describeField(field, comments)),
  };
}

function describeField(field: DescField, comments: Comments): FieldDescription {
  const { message } = field;
  const scalar = message ? { type: 'message' as const } : scalarOf(field);
  return {
    name: field.name,
    format: undefined,
    ...scalar,
    typeName: message?.typeName,
    choices: field.enum?.values.map(({ name }) => name),
    repeated: field.fieldKind === 'list',
    about: comments(field.proto),
  };
}

function scalarOf({ scalar, enum: choices }: DescField): Pick<FieldDescription, 'type' | 'format'> {
  if (choices) return { type: 'string', format: undefined };
  switch (scalar) {
    case ScalarType.BOOL:
      return { type: 'boolean', format: undefined };
    case ScalarType.STRING:
      return { type: 'string', format: undefined };
    case ScalarType.BYTES:
      return { type: 'string', format: 'byte' };
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return { type: 'number', format: undefined };
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return { type: 'string', format: 'uint64' };
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return { type: 'string', format: 'int64' };
    default:
      return { type: 'integer', format: 'int32' };
  }
}
