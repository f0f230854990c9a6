import { type DescMessage, fromJson, type JsonValue, type Registry, toBinary } from '@bufbuild/protobuf';
import { applyParameters } from './parameters.ts';
import { protoErrors } from './protoErrors.ts';

/** A request from its JSON, with parameters of the path over it. Throws PROTO_BAD_INPUT. */
export function readJson(
  registry: Registry,
  desc: DescMessage,
  text: string,
  parameters: Iterable<readonly [string, string]>,
): Uint8Array {
  const message = parse(registry, desc, text);
  applyParameters(desc, message, parameters);
  return toBinary(desc, message);
}

function parse(registry: Registry, desc: DescMessage, text: string): ReturnType<typeof fromJson> {
  try {
    const json = JSON.parse(text === '' ? '{}' : text) as JsonValue;
    return fromJson(desc, json, { registry, ignoreUnknownFields: false });
  } catch (cause) {
    throw protoErrors.body(cause);
  }
}
