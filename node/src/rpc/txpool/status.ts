import { toHexQuantity } from '../../primitives/index.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { objectOf } from '../schema/jsonSchema.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

/** How many transactions can go into a block, and how many wait for a lower nonce. */
export const status = rpcMethod({
  name: 'txpool_status',
  summary: 'How many transactions can go into a block, and how many wait for a lower nonce',
  params: [],
  result: objectOf({ pending: QUANTITY, queued: QUANTITY }),
  uses: ['mempool'],
  handle: ({ mempool }) => {
    const { pending, queued } = mempool.counts();
    return { pending: toHexQuantity(pending), queued: toHexQuantity(queued) };
  },
});
