import { FEE_COLLECTOR_EVM_ADDRESS } from '../../ledger/index.ts';
import { toHexData } from '../../primitives/index.ts';
import { rpcMethod } from '../rpcMethod.ts';

/** The fee collector's address. */
export const coinbase = rpcMethod({
  name: 'eth_coinbase',
  params: [],
  handle: () => toHexData(FEE_COLLECTOR_EVM_ADDRESS),
});
