import { formatSyncStatus, SYNC_STATUS } from '../network/syncStatus.ts';
import { rpcMethod } from '../rpcMethod.ts';

/** A node alone makes its own blocks: there is nothing to catch up with. */
export const syncing = rpcMethod({
  name: 'eth_syncing',
  summary:
    'False, or how far the node is behind; `highestBlock` is estimated from the age of the newest block and the pace of those before it',
  params: [],
  result: { anyOf: [{ const: false }, SYNC_STATUS] },
  errors: [{ code: -32000, message: 'CometBFT does not answer: …' }],
  uses: ['network'],
  handle: async ({ network }) => {
    const progress = await network.progress();
    return progress ? formatSyncStatus(progress) : false;
  },
});
