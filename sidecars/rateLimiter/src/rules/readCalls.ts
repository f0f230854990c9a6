import { parseJson } from '@chain/platform';
/** A JSON-RPC id as it came; null where there is none. */
export type CallId = string | number | null;

export interface Call {
  readonly id: CallId;
  readonly method: string;
}

/** What a body asks for. */
export interface Calls {
  readonly calls: readonly Call[];
  readonly isBatch: boolean;
}

/** Why a body is not passed on. */
export class UnreadableCalls {
  readonly code: number;
  readonly message: string;

  constructor(code: number, message: string) {
    this.code = code;
    this.message = message;
  }
}

const NOT_JSON = new UnreadableCalls(-32_700, 'the body is not JSON');
const NO_CALL = new UnreadableCalls(-32_600, 'a call is an object with a method, in text');
const TWO_SPELLINGS = new UnreadableCalls(-32_600, 'the members of a call are spelled in lower case');
const EMPTY = new UnreadableCalls(-32_600, 'the batch is empty');

/**
 * Reads which methods a body calls. What a reader in Go could take for another method than this one is refused: it
 * matches member names in any case, so that `Method` behind `method` would win there.
 */
export function readCalls(body: Buffer): Calls | UnreadableCalls {
  let value: unknown;
  try {
    value = parseJson(body);
  } catch {
    return NOT_JSON;
  }
  if (!Array.isArray(value)) {
    const call = readCall(value);
    return call instanceof UnreadableCalls ? call : { calls: [call], isBatch: false };
  }
  if (value.length === 0) return EMPTY;
  const calls: Call[] = [];
  for (const item of value) {
    const call = readCall(item);
    if (call instanceof UnreadableCalls) return call;
    calls.push(call);
  }
  return { calls, isBatch: true };
}

function readCall(value: unknown): Call | UnreadableCalls {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return NO_CALL;
  const { id, method } = value as Readonly<Record<string, unknown>>;
  if (typeof method !== 'string') return NO_CALL;
  for (const name in value) if (name !== 'method' && foldsToMethod(name)) return TWO_SPELLINGS;
  return { id: typeof id === 'string' || typeof id === 'number' ? id : null, method };
}

function foldsToMethod(name: string): boolean {
  return name.length === 6 && name.toLowerCase() === 'method';
}
