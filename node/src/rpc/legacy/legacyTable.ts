import type { RpcMethod } from '../rpcMethod.ts';
import { associate } from './associate.ts';
import { CHAIN_LIST, CHAIN2_LIST } from './blockList.ts';
import { blockQueries } from './blockQueries.ts';
import { ERROR_QUERIES } from './errorQueries.ts';
import { getChainAddress } from './getChainAddress.ts';
import { getEvmAddress } from './getEvmAddress.ts';
import { getEvmTx } from './getEvmTx.ts';
import { getLedgerTx } from './getLedgerTx.ts';
import { LOG_METHODS } from './logMethods.ts';
import { sign } from './sign.ts';
import { TRACE_QUERIES } from './traceQueries.ts';
import { TRANSACTION_QUERIES } from './transactionQueries.ts';

/** The deprecated methods behind the gate (spec G-2). */
export const LEGACY_TABLE: readonly RpcMethod[] = [
  associate,
  sign,
  getChainAddress,
  getEvmAddress,
  getEvmTx,
  getLedgerTx,
  ...ERROR_QUERIES,
  ...TRANSACTION_QUERIES,
  ...LOG_METHODS,
  ...TRACE_QUERIES,
  ...blockQueries('chain', CHAIN_LIST, 'synthetic transactions'),
  ...blockQueries('chain2', CHAIN2_LIST, 'synthetic transactions and bank transfers'),
];
