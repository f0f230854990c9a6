import type { AbciQueryResult } from './abciQuery.ts';

const NO_BYTES = new Uint8Array(0);

/** Registered errors of the Cosmos SDK that queries end with. */
const REGISTERED = {
  unknownRequest: [6, 'unknown request'],
  invalidRequest: [18, 'invalid request'],
  keyNotFound: [22, 'key not found'],
} as const satisfies Record<string, readonly [code: number, phrase: string]>;

/** An answer that says what is wrong, as the SDK prints its wrapped errors. */
export function refusedQuery(kind: keyof typeof REGISTERED, detail: string): AbciQueryResult {
  const [code, phrase] = REGISTERED[kind];
  return { code, codespace: 'sdk', log: `${detail}: ${phrase}`, key: NO_BYTES, value: NO_BYTES, height: 0 };
}
