import { toHexData, toHexQuantity } from '../../primitives/index.ts';
import { type Floors, highestFloor } from '../blocks/floors.ts';
import { BLOCK_READS } from '../blocks/resolveBlock.ts';
import { type Need, rpcMethod } from '../rpcMethod.ts';
import { objectOf, ref } from '../schema/jsonSchema.ts';
import { HASH, QUANTITY } from '../schema/valueSchemas.ts';

const RESOURCE = ref('Resource');

function resource(deps: Floors, need: Need) {
  return { disabled: false, oldestBlock: toHexQuantity(highestFloor(deps, [need])) };
}

/** The floors that requests are checked against, for routers in front of several nodes. */
export const capabilities = rpcMethod({
  name: 'eth_capabilities',
  summary: 'The newest block, and the oldest one that each kind of data is held of',
  params: [],
  result: objectOf({
    head: objectOf({ number: QUANTITY, hash: HASH }),
    state: RESOURCE,
    tx: RESOURCE,
    logs: RESOURCE,
    receipts: RESOURCE,
    blocks: RESOURCE,
    stateproofs: RESOURCE,
  }),
  uses: BLOCK_READS,
  handle: (deps) => {
    const { chain, genesisHash } = deps;
    const { height } = chain;
    return {
      head: {
        number: toHexQuantity(height),
        hash: toHexData(height === 0 ? genesisHash : chain.blockHash(height)!),
      },
      state: resource(deps, 'state'),
      tx: resource(deps, 'blocks'),
      logs: resource(deps, 'receipts'),
      receipts: resource(deps, 'receipts'),
      blocks: resource(deps, 'blocks'),
      stateproofs: resource(deps, 'proofs'),
    };
  },
});
