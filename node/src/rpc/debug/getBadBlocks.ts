import { rpcMethod } from '../rpcMethod.ts';

/** Consensus decides before a block is run: there is none that was seen and refused. */
export const getBadBlocks = rpcMethod({
  name: 'debug_getBadBlocks',
  summary: 'Blocks that were seen and refused: always none, for blocks are final when they come',
  params: [],
  result: { type: 'array', maxItems: 0 },
  handle: () => [],
});
