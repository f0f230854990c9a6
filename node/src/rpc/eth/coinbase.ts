import { FEE_COLLECTOR_EVM_ADDRESS } from '../../ledger/index.ts';
import { toHexData } from '../../primitives/index.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { ADDRESS } from '../schema/valueSchemas.ts';

/** The fee collector's address. */
export const coinbase = rpcMethod({
  name: 'eth_coinbase',
  summary: 'Address of the fee collector',
  params: [],
  result: ADDRESS,
  handle: () => toHexData(FEE_COLLECTOR_EVM_ADDRESS),
});
