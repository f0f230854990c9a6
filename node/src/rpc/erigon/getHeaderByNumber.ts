import { getHeaderByNumber } from '../eth/getHeaderByNumber.ts';
import type { RpcMethod } from '../rpcMethod.ts';

/** Otterscan and other explorers look for Erigon by it. */
export const erigonGetHeaderByNumber: RpcMethod = {
  ...getHeaderByNumber,
  name: 'erigon_getHeaderByNumber',
  summary: 'As eth_getHeaderByNumber',
};
