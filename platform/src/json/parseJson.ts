import { nestsDeeper } from './nestsDeeper.ts';

export interface JsonLimits {
  /** Objects and arrays within each other. */
  readonly depthMax: number;
  /** Of the whole text; characters, where it comes as a string. */
  readonly bytesMax: number;
}

/** Holds whatever no caller narrows. A protobuf reader takes 100 levels; nothing that programs exchange comes near. */
export const JSON_LIMITS: JsonLimits = { depthMax: 128, bytesMax: 256 * 1024 * 1024 };

/** As for JSON.parse; `source` is a number as it was written. */
export type JsonReviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

export interface JsonReading extends Partial<JsonLimits> {
  readonly reviver?: JsonReviver;
}

/**
 * The one way from JSON text to a value. Throws a SyntaxError for text that is no JSON, too long, or nested too deep:
 * V8 parses any depth, but whoever walks the value later (a reviver, a writer, a structured clone) recurses.
 */
export function parseJson(json: string | Uint8Array, reading: JsonReading = JSON_LIMITS): unknown {
  const { depthMax = JSON_LIMITS.depthMax, bytesMax = JSON_LIMITS.bytesMax, reviver } = reading;
  if (json.length > bytesMax) throw new SyntaxError(`JSON of ${json.length} bytes, more than ${bytesMax}`);
  const text = typeof json === 'string' ? json : textOf(json);
  // Each level takes two characters.
  if (text.length > 2 * depthMax && nestsDeeper(text, depthMax)) {
    throw new SyntaxError(`JSON with more than ${depthMax} levels of objects and arrays`);
  }
  return JSON.parse(text, reviver);
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}
