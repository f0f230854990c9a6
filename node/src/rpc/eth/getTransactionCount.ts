import { readNonce } from '../../evm/index.ts';
import { toHexQuantity } from '../../primitives/index.ts';
import { stateOf } from '../blocks/resolveBlock.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { addressCodec } from '../codec/hexCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

/** The account's nonce; at `pending` the first one that the mempool does not hold. */
export const getTransactionCount = rpcMethod({
  name: 'eth_getTransactionCount',
  summary: 'Transactions that an account has sent; with `pending` those that wait for a block as well',
  params: [param('address', addressCodec), optionalParam('block', blockIdCodec, 'latest' as const)],
  result: QUANTITY,
  needs: ['state'],
  handle: (deps, [address, block]) => {
    const nonce = readNonce(stateOf(deps, block), address);
    return toHexQuantity(block === 'pending' ? deps.mempool.pendingNonce(address, nonce) : nonce);
  },
});
