import { nestsDeeper } from './nestsDeeper.ts';

export interface JsonLimits {
  /** Objects and arrays within each other. */
  readonly maxDepth: number;
  /** Of the whole text; characters, where it comes as a string. */
  readonly maxBytes: number;
}

/** Holds whatever no caller narrows. A protobuf reader takes 100 levels; nothing that programs exchange comes near. */
export const JSON_LIMITS: JsonLimits = { maxDepth: 128, maxBytes: 256 * 1024 * 1024 };

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
  const { maxDepth = JSON_LIMITS.maxDepth, maxBytes = JSON_LIMITS.maxBytes, reviver } = reading;
  if (json.length > maxBytes) throw new SyntaxError(`JSON of ${json.length} bytes, more than ${maxBytes}`);
  const text = typeof json === 'string' ? json : textOf(json);
  // Each level takes two characters.
  if (text.length > 2 * maxDepth && nestsDeeper(text, maxDepth)) {
    throw new SyntaxError(`JSON with more than ${maxDepth} levels of objects and arrays`);
  }
  return JSON.parse(text, reviver);
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}
