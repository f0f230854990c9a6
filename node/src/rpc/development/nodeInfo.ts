import { forkAt } from '../../evm/index.ts';
import { toHexData, toHexQuantity } from '../../primitives/index.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { objectOf } from '../schema/jsonSchema.ts';
import { HASH, QUANTITY, STRING } from '../schema/valueSchemas.ts';
import { developmentMethods } from './developmentMethod.ts';

const NUMBER = { type: 'integer' };
/** No fork: this chain is its own. */
const NO_FORK = { forkUrl: null, forkBlockNumber: null, forkRetryBackoff: null };

function latest({ chain }: Pick<RpcDeps, 'chain'>): {
  readonly height: number;
  readonly hash: string;
  seconds: number;
} {
  const { block } = chain.lastRecord!;
  return {
    height: block.header.height,
    hash: toHexData(block.id.hash),
    seconds: Number(block.header.time.seconds),
  };
}

/** What Hardhat and Foundry ask to find out whether they talk to a development node. */
export const NODE_INFO = [
  ...developmentMethods(['anvil_metadata', 'hardhat_metadata'], {
    summary: 'Which node this is, of which chain, and where it stands',
    params: [],
    result: objectOf({
      clientVersion: STRING,
      chainId: NUMBER,
      instanceId: HASH,
      latestBlockNumber: NUMBER,
      latestBlockHash: HASH,
    }),
    uses: ['chain', 'clientVersion', 'evmChainId'],
    handle: (deps) => {
      const { height, hash } = latest(deps);
      return {
        clientVersion: deps.clientVersion,
        chainId: Number(deps.evmChainId),
        instanceId: deps.development.instanceId,
        latestBlockNumber: height,
        latestBlockHash: hash,
      };
    },
  }),
  ...developmentMethods(['anvil_nodeInfo'], {
    summary: 'Where the chain stands and by which rules it runs',
    params: [],
    result: objectOf({
      currentBlockNumber: QUANTITY,
      currentBlockTimestamp: NUMBER,
      currentBlockHash: HASH,
      hardFork: STRING,
      transactionOrder: STRING,
      environment: objectOf({ baseFee: QUANTITY, chainId: NUMBER, gasLimit: QUANTITY, gasPrice: QUANTITY }),
      forkConfig: objectOf({
        forkUrl: { type: 'null' },
        forkBlockNumber: { type: 'null' },
        forkRetryBackoff: { type: 'null' },
      }),
    }),
    uses: ['chain', 'clientVersion', 'evmChainId'],
    handle: (deps) => {
      const { height, hash, seconds } = latest(deps);
      const { baseFee, gasLimit } = deps.chain.pendingContext();
      return {
        currentBlockNumber: toHexQuantity(height),
        currentBlockTimestamp: seconds,
        currentBlockHash: hash,
        hardFork: forkAt(deps.chain.newestState, height),
        transactionOrder: 'fees',
        environment: {
          baseFee: toHexQuantity(baseFee),
          chainId: Number(deps.evmChainId),
          gasLimit: toHexQuantity(gasLimit),
          gasPrice: toHexQuantity(baseFee),
        },
        forkConfig: NO_FORK,
      };
    },
  }),
];
