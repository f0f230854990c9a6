import { toHexQuantity } from '../../primitives/index.ts';
import { isCongested, rewardPercentiles } from '../fees/rewards.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

const GWEI = 1_000_000_000n;

/** 1 gwei; under congestion the median tip of the newest block (spec R-11). */
export const maxPriorityFeePerGas = rpcMethod({
  name: 'eth_maxPriorityFeePerGas',
  summary: '1 gwei; under congestion the median tip of the newest block',
  params: [],
  result: QUANTITY,
  uses: ['chain', 'history'],
  handle: ({ chain, history }) => {
    const record = history.blockByHeight(chain.height);
    return toHexQuantity(record && isCongested(record) ? rewardPercentiles(record, [50])[0]! : GWEI);
  },
});
