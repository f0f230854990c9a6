import { toHexQuantity } from '../../primitives/index.ts';
import { rpcMethod } from '../rpcMethod.ts';

/** How many transactions can go into a block, and how many wait for a lower nonce. */
export const status = rpcMethod({
  name: 'txpool_status',
  params: [],
  handle: ({ mempool }) => {
    const { pending, queued } = mempool.counts();
    return { pending: toHexQuantity(pending), queued: toHexQuantity(queued) };
  },
});
