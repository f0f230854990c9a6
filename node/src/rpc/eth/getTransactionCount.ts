import { readNonce } from '../../evm/index.ts';
import { toHexQuantity } from '../../primitives/index.ts';
import { asDecidedState } from '../blocks/blockResolvers.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { addressCodec } from '../codec/hexCodecs.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

/** The account's nonce; at `pending` the first one that the mempool does not hold. */
export const getTransactionCount = rpcMethod({
  name: 'eth_getTransactionCount',
  summary: 'Transactions that an account has sent; with `pending` those that wait for a block as well',
  params: [
    param('address', addressCodec),
    resolved(optionalParam('block', blockIdCodec, 'latest' as const), asDecidedState),
  ],
  result: QUANTITY,
  needs: ['state'],
  uses: ['mempool'],
  handle: ({ mempool }, [address, { state, isPending }]) => {
    const nonce = readNonce(state, address);
    return toHexQuantity(isPending ? mempool.pendingNonce(address, nonce) : nonce);
  },
});
