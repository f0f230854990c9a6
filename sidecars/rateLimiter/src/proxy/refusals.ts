import type { CallId } from '../rules/index.ts';

/** Codes of JSON-RPC errors that the limiter gives itself. */
export const CODES = {
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  internal: -32_603,
  limited: -32_005,
} as const;

/** A JSON-RPC error as text. `id` is null where the call was not read. */
export function errorText(id: CallId, code: number, [message, data]: readonly [string, unknown?]): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: data === undefined ? { code, message } : { code, message, data },
  });
}

/** The call came too early. */
export function limitedText(id: CallId, waitMs: number): string {
  return errorText(id, CODES.limited, ['too many requests', { retryAfterMs: Math.ceil(waitMs) }]);
}

/** The method is on a list, or not on one. */
export function deniedText(id: CallId, method: string): string {
  return errorText(id, CODES.methodNotFound, ['Method not found', `${shorten(method)} is not served here`]);
}

/** At least 1: the header has whole seconds. */
export function retryAfterSeconds(waitMs: number): string {
  return String(Math.max(1, Math.ceil(waitMs / 1000)));
}

function shorten(text: string): string {
  return text.length > 64 ? `${text.slice(0, 61)}…` : text;
}
