import { type DescMessage, fromJson, type JsonValue, type Registry, toBinary } from '@bufbuild/protobuf';
import { CodedError, parseJson } from '@chain/platform';
import { withLedgerUrls } from './packedMessages.ts';
import { applyParameters } from './parameters.ts';
import { protoErrors } from './protoErrors.ts';

interface JsonReading {
  readonly registry: Registry;
  readonly scale: (desc: DescMessage, json: JsonValue) => JsonValue;
}

/** A request from its JSON, with parameters of the path over it. Throws PROTO_BAD_INPUT. */
export function readJson(
  reading: JsonReading,
  desc: DescMessage,
  text: string,
  parameters: Iterable<readonly [string, string]>,
): Uint8Array {
  const message = parse(reading, desc, text);
  applyParameters(desc, message, parameters);
  return toBinary(desc, message);
}

function parse(
  { registry, scale }: JsonReading,
  desc: DescMessage,
  text: string,
): ReturnType<typeof fromJson> {
  try {
    const json = parseJson(text === '' ? '{}' : text) as JsonValue;
    const message = fromJson(desc, scale(desc, json), { registry, ignoreUnknownFields: false });
    withLedgerUrls(registry, desc, message);
    return message;
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    throw protoErrors.body(cause);
  }
}
