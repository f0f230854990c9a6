import type { RpcMethod } from '../rpcMethod.ts';
import { ACCOUNT_METHODS } from './accounts.ts';
import { BLOCK_METHODS } from './blocks.ts';
import { SEARCH_METHODS } from './searches.ts';
import { TRANSACTION_METHODS } from './transactions.ts';

/** What the explorer Otterscan asks of a node, beside `erigon_getHeaderByNumber` (spec R-27). */
export const OTTERSCAN_METHODS: readonly RpcMethod[] = [
  ...ACCOUNT_METHODS,
  ...BLOCK_METHODS,
  ...TRANSACTION_METHODS,
  ...SEARCH_METHODS,
];
