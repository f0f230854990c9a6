import { isCodedError } from '@chain/platform';
import { STORE_NAMES } from '../../ledger/index.ts';
import { utf8 } from '../../primitives/index.ts';
import type { AbciQuery, AbciQueryResult } from '../abciQuery.ts';
import type { CometDeps } from '../cometDeps.ts';

const NO_BYTES = new Uint8Array(0);
/** Registered errors of the Cosmos SDK. */
const UNKNOWN_REQUEST = { code: 6, codespace: 'sdk', phrase: 'unknown request' };
const INVALID_REQUEST = { code: 18, codespace: 'sdk', phrase: 'invalid request' };

function refused({ code, codespace, phrase }: typeof UNKNOWN_REQUEST, detail: string): AbciQueryResult {
  return { code, codespace, log: `${detail}: ${phrase}`, key: NO_BYTES, value: NO_BYTES, height: 0 };
}

/** Answers `abci_query` as an application of the Cosmos SDK does: what is wrong has a code and a text. */
export async function answerQuery(query: AbciQuery, deps: CometDeps): Promise<AbciQueryResult> {
  const [first, second, third, ...rest] = query.path.split('/').filter((part) => part !== '');
  if (first === undefined) return refused(UNKNOWN_REQUEST, 'no query path provided');
  if (query.height < 0) return refused(INVALID_REQUEST, 'cannot query with height < 0');
  if (first === 'app' && second === 'version') {
    return found(NO_BYTES, utf8(deps.identity.release), deps.chain.height);
  }
  if (first === 'store' && second !== undefined && third === 'key' && rest.length === 0) {
    return answerStore({ ...query, height: query.height || deps.chain.height }, second, deps);
  }
  return (await deps.callService?.(query)) ?? refused(UNKNOWN_REQUEST, 'unknown query path');
}

/** State after block `height`; the header above it holds the app hash that a proof leads to. */
async function answerStore(query: AbciQuery, store: string, deps: CometDeps): Promise<AbciQueryResult> {
  const { data: key, height, prove } = query;
  if (!STORE_NAMES.some((name) => name === store)) return refused(UNKNOWN_REQUEST, `no such store: ${store}`);
  if (key.length === 0) return refused(INVALID_REQUEST, 'query cannot be zero length');
  try {
    if (!prove) return found(key, deps.chain.stateAt(height).get(store, key), height);
    const { value, ops } = deps.stateCommit.queryWithProof(store, key, height);
    return { ...found(key, value, height), proof: ops };
  } catch (error) {
    if (isCodedError(error)) return refused(INVALID_REQUEST, error.message);
    throw error;
  }
}

function found(key: Uint8Array, value: Uint8Array | undefined, height: number): AbciQueryResult {
  return { code: 0, codespace: '', log: '', key, value: value ?? NO_BYTES, height };
}
