import { readFileSync } from 'node:fs';
import {
  createFileRegistry,
  type DescFile,
  type DescMessage,
  type DescMethod,
  type FileRegistry,
  fromBinary,
  toBinary,
} from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { readComments } from './comments.ts';
import { fieldOptionsOf } from './fieldOptions.ts';
import { type HttpRule, httpRulesOf } from './httpRules.ts';
import { type JsonObject, jsonWriter } from './jsonWriter.ts';
import { describeMessage, type MessageDescription } from './messageDescription.ts';
import { parseParameters } from './parameters.ts';
import { protoErrors } from './protoErrors.ts';
import { readJson } from './readJson.ts';
import { scaleDecimals } from './scaleDecimals.ts';

export type { HttpRule } from './httpRules.ts';

const DESCRIPTORS = new URL('../../proto/descriptors.binpb', import.meta.url);

/** A method of a service; type names without a leading dot. */
export interface ProtoMethod {
  readonly service: string;
  readonly name: string;
  /** As gRPC has it: `/cosmos.bank.v1beta1.Query/Balance`. */
  readonly path: string;
  readonly input: string;
  readonly output: string;
  readonly streaming: boolean;
  readonly http: readonly HttpRule[];
  /** From the comment above it; may be empty. */
  readonly about: string;
}

/** The compiled protobuf files. Everything else in it is derived on demand. */
export interface ProtoSchema {
  readonly methods: readonly ProtoMethod[];
  /** Services by full name. */
  readonly services: readonly string[];
  /** A message as the gateway's JSON. Throws PROTO_BAD_INPUT when the bytes are no such message. */
  toJson(typeName: string, bytes: Uint8Array): JsonObject;
  /** JSON text of a message to bytes. Throws PROTO_BAD_INPUT. */
  fromJson(typeName: string, text: string): Uint8Array;
  /** Path and query parameters to the bytes of a request; names that the message lacks are passed over. */
  fromParameters(typeName: string, parameters: Iterable<readonly [string, string]>): Uint8Array;
  /** A body of JSON with parameters over it. */
  fromBody(typeName: string, text: string, parameters: Iterable<readonly [string, string]>): Uint8Array;
  describe(typeName: string): MessageDescription;
  /** A file's FileDescriptorProto, first, and those that it imports; `undefined` for an unknown name. */
  fileByName(name: string): Uint8Array[] | undefined;
  /** The same of the file that declares a symbol. */
  fileBySymbol(symbol: string): Uint8Array[] | undefined;
  fileByExtension(typeName: string, number: number): Uint8Array[] | undefined;
  extensionNumbers(typeName: string): number[] | undefined;
}

/** Reads the compiled files. */
export function openProtoSchema(): ProtoSchema {
  const set = fromBinary(FileDescriptorSetSchema, readFileSync(DESCRIPTORS));
  const registry = createFileRegistry(set);
  const optionsOf = fieldOptionsOf(registry);
  const write = jsonWriter(registry, optionsOf);
  const reading = { registry, scale: scaleDecimals(registry, optionsOf) };
  const comments = readComments(registry.files);
  const messageOf = (typeName: string): DescMessage => {
    const message = registry.getMessage(typeName);
    if (!message) throw protoErrors.bytes(typeName, 'no such type');
    return message;
  };
  return {
    methods: methodsOf(registry, comments),
    services: [...registry].flatMap((type) => (type.kind === 'service' ? [type.typeName] : [])),
    toJson: (typeName, bytes) => write(messageOf(typeName), bytes),
    fromJson: (typeName, text) => readJson(reading, messageOf(typeName), text, []),
    fromParameters: (typeName, parameters) => parseParameters(messageOf(typeName), parameters),
    fromBody: (typeName, text, parameters) => readJson(reading, messageOf(typeName), text, parameters),
    describe: (typeName) => describeMessage(messageOf(typeName), comments),
    ...fileReads(registry),
  };
}

function methodsOf(registry: FileRegistry, comments: (proto: object) => string): ProtoMethod[] {
  const rules = httpRulesOf(registry);
  const methods = [...registry].flatMap((type) => (type.kind === 'service' ? type.methods : []));
  return methods.map((method: DescMethod) => ({
    service: method.parent.typeName,
    name: method.name,
    path: `/${method.parent.typeName}/${method.name}`,
    input: method.input.typeName,
    output: method.output.typeName,
    streaming: method.methodKind !== 'unary',
    http: rules(method),
    about: comments(method.proto),
  }));
}

function fileReads(
  registry: FileRegistry,
): Pick<ProtoSchema, 'fileByName' | 'fileBySymbol' | 'fileByExtension' | 'extensionNumbers'> {
  const files = new Map([...registry.files].map((file) => [file.proto.name, file]));
  const symbols = symbolsOf(registry);
  const extensions = [...registry].flatMap((type) => (type.kind === 'extension' ? [type] : []));
  const encoded = (file: DescFile): Uint8Array => {
    const { sourceCodeInfo: _, ...proto } = file.proto;
    return toBinary(FileDescriptorProtoSchema, proto as typeof file.proto);
  };
  const withImports = (file: DescFile | undefined): Uint8Array[] | undefined => {
    if (!file) return undefined;
    const seen = new Set<DescFile>();
    const add = (next: DescFile): void => {
      if (seen.has(next)) return;
      seen.add(next);
      for (const imported of next.proto.dependency) add(files.get(imported)!);
    };
    add(file);
    return [...seen].map(encoded);
  };
  const ofType = (typeName: string) => extensions.filter(({ extendee }) => extendee.typeName === typeName);
  return {
    fileByName: (name) => withImports(files.get(name)),
    fileBySymbol: (symbol) => withImports(symbols.get(symbol)),
    fileByExtension: (typeName, number) =>
      withImports(ofType(typeName).find((extension) => extension.number === number)?.file),
    extensionNumbers: (typeName) =>
      registry.getMessage(typeName) && ofType(typeName).map(({ number }) => number),
  };
}

/** Every name that a client may ask for: types, their fields and values, methods, extensions. */
function symbolsOf(registry: FileRegistry): Map<string, DescFile> {
  const symbols = new Map<string, DescFile>();
  for (const type of registry) {
    symbols.set(type.typeName, type.file);
    if (type.kind === 'service') {
      for (const method of type.methods) symbols.set(`${type.typeName}.${method.name}`, type.file);
    } else if (type.kind === 'message') {
      for (const field of type.fields) symbols.set(`${type.typeName}.${field.name}`, type.file);
    }
  }
  return symbols;
}
