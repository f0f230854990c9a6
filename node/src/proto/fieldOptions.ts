import {
  type DescExtension,
  type DescField,
  getExtension,
  hasExtension,
  type Registry,
} from '@bufbuild/protobuf';

/** What the gogoproto options of a field change in its JSON. */
export interface FieldOptions {
  /** An absent message is written as its default, not as null. */
  readonly required: boolean;
  /** The Go type behind text or bytes: a decimal scaled by 10^18, or an integer. */
  readonly number: 'decimal' | 'integer' | undefined;
}

/** Reads and remembers the options of fields. */
export function fieldOptionsOf(registry: Registry): (field: DescField) => FieldOptions {
  const nullable = registry.getExtension('gogoproto.nullable')!;
  const customType = registry.getExtension('gogoproto.customtype')!;
  const known = new WeakMap<DescField, FieldOptions>();
  return (field) => {
    let options = known.get(field);
    if (!options) {
      const type = String(optionOf(field, customType) ?? '');
      options = { required: optionOf(field, nullable) === false, number: numberKind(type) };
      known.set(field, options);
    }
    return options;
  };
}

function numberKind(type: string): FieldOptions['number'] {
  if (type.endsWith('Dec')) return 'decimal';
  return type.endsWith('.Int') ? 'integer' : undefined;
}

function optionOf(field: DescField, extension: DescExtension): unknown {
  const options = field.proto.options;
  return options && hasExtension(options, extension) ? getExtension(options, extension) : undefined;
}
