import { isCodedError } from '@chain/platform';
import { parseQuery, searchBlocks, searchTransactions } from '../../eventQuery/index.ts';
import type { CometDeps } from '../cometDeps.ts';
import { type CometMethod, cometMethod } from '../cometMethod.ts';
import { identifiedBlockJson } from '../json/blockJson.ts';
import { transactionJson } from '../json/transactionJson.ts';
import { upperHex } from '../json/values.ts';
import { boolean, bytes, optionalInteger, text } from '../params/paramKinds.ts';
import { rpcFailure } from '../rpcFailure.ts';
import { inOrder, pageOf } from '../search/pages.ts';

const MAX_QUERY_LENGTH = 512;

function requireIndex({ limits }: CometDeps): void {
  if (!limits.indexing) throw rpcFailure('transaction indexing is disabled');
}

export const searchMethods: readonly CometMethod[] = [
  cometMethod({
    name: 'tx',
    summary: 'A transaction by its SHA-256, with its result; `prove` adds the path to the data hash',
    params: { hash: bytes, prove: boolean },
    cacheable: true,
    handle: ({ hash, prove }, { deps }) => {
      requireIndex(deps);
      const found = deps.history.ledgerTransactionByHash(hash);
      if (!found) throw rpcFailure(`tx (${upperHex(hash)}) not found`);
      return transactionJson(found.record, found.index, prove);
    },
  }),
  cometMethod({
    name: 'tx_search',
    summary: 'Transactions by their events, oldest first unless `order_by` is `desc`; 30 a page, at most 100',
    params: {
      query: text,
      prove: boolean,
      page: optionalInteger,
      per_page: optionalInteger,
      order_by: text,
    },
    handle: async ({ query, prove, page, per_page: perPage, order_by: order }, { deps }) => {
      requireIndex(deps);
      if (query.length > MAX_QUERY_LENGTH) throw rpcFailure('maximum query length exceeded');
      const { history, chain } = deps;
      const found = await searchTransactions(parseQuery(query), history, chain.height).catch(tooMany);
      const listed = pageOf(inOrder(found, order, 'asc'), { page, perPage });
      return {
        txs: listed.flatMap(({ height, index }) => {
          const record = history.blockByHeight(height);
          return record ? [transactionJson(record, index, prove)] : [];
        }),
        total_count: String(found.length),
      };
    },
  }),
  cometMethod({
    name: 'block_search',
    summary:
      'Blocks by `block.height` and their own events, newest first unless `order_by` is `asc`; 30 a page, at most 100',
    params: { query: text, page: optionalInteger, per_page: optionalInteger, order_by: text },
    handle: async ({ query, page, per_page: perPage, order_by: order }, { deps }) => {
      if (!deps.limits.indexing) throw rpcFailure('block indexing is disabled');
      if (query.length > MAX_QUERY_LENGTH) throw rpcFailure('maximum query length exceeded');
      const heights = { earliest: deps.history.earliestHeight, latest: deps.chain.height };
      const found = await searchBlocks(parseQuery(query), deps.history, heights).catch(tooMany);
      const listed = pageOf(inOrder(found, order, 'desc'), { page, perPage });
      return {
        blocks: listed.flatMap((height) => {
          const record = deps.history.blockByHeight(height);
          return record ? [identifiedBlockJson(record.block)] : [];
        }),
        total_count: String(found.length),
      };
    },
  }),
];

function tooMany(error: unknown): never {
  if (isCodedError(error, 'HISTORY_EVENTS_TOO_MANY')) throw rpcFailure(error.message);
  throw error;
}
