import { isCodedError } from '@chain/platform';
import { utf8 } from '../../primitives/index.ts';
import { STORE_NAMES } from '../../state/schema/index.ts';
import type { LedgerQueryDeps, LedgerQueryOptions } from '../ledgerQueryDeps.ts';
import type { AbciQuery, AbciQueryResult } from './abciQuery.ts';
import { refusedQuery } from './refusedQuery.ts';

interface Parts {
  readonly options: Pick<LedgerQueryOptions, 'release'>;
  readonly deps: Pick<LedgerQueryDeps, 'chain' | 'stateCommit' | 'snapshotHeights'>;
}

/** The parts of a path; those of `/store/bank/key` are three. */
export function pathParts(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

/** Answers `/app/…` and `/store/…` as an application of the Cosmos SDK does: what is wrong has a code and a text. */
export function answerApplication(query: AbciQuery, parts: Parts): AbciQueryResult {
  const [first, second, third, ...rest] = pathParts(query.path);
  if (first === undefined) return refusedQuery('unknownRequest', 'no query path provided');
  if (query.height < 0) return refusedQuery('invalidRequest', 'cannot query with height < 0');
  const { chain } = parts.deps;
  if (first === 'app' && second === 'version') {
    return found(new Uint8Array(0), utf8(parts.options.release), chain.height);
  }
  if (first === 'app' && second === 'snapshots') {
    const heights = parts.deps.snapshotHeights?.() ?? [];
    return found(new Uint8Array(0), utf8(JSON.stringify(heights)), chain.height);
  }
  if (first === 'store' && second !== undefined && third === 'key' && rest.length === 0) {
    return answerStore({ ...query, height: query.height || chain.height }, second, parts);
  }
  return refusedQuery('unknownRequest', 'unknown query path');
}

/** State after block `height`; the header above it holds the app hash that a proof leads to. */
function answerStore(query: AbciQuery, store: string, { deps }: Parts): AbciQueryResult {
  const { data: key, height, prove } = query;
  if (!STORE_NAMES.some((name) => name === store)) {
    return refusedQuery('unknownRequest', `no such store: ${store.slice(0, 100)}`);
  }
  if (key.length === 0) return refusedQuery('invalidRequest', 'query cannot be zero length');
  try {
    if (!prove) return found(key, deps.chain.stateAt(height).get(store, key), height);
    const { value, ops } = deps.stateCommit.queryWithProof(store, key, height);
    return { ...found(key, value, height), proof: ops };
  } catch (error) {
    if (isCodedError(error)) return refusedQuery('invalidRequest', error.message);
    throw error;
  }
}

function found(key: Uint8Array, value: Uint8Array | undefined, height: number): AbciQueryResult {
  return { code: 0, codespace: '', log: '', key, value: value ?? new Uint8Array(0), height };
}
