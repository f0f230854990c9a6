import { toHexQuantity } from '../../primitives/index.ts';
import { listedReceipts } from '../blocks/listedTransactions.ts';
import { pricePercentile } from '../fees/rewards.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

/**
 * The 50th percentile of the newest block's effective gas prices, never below the next base fee; a block without
 * EVM transactions gives the next base fee and a tenth (spec R-11).
 */
export const gasPrice = rpcMethod({
  name: 'eth_gasPrice',
  summary: '50th percentile of the gas prices in the newest block, never below the next base fee',
  params: [],
  result: QUANTITY,
  uses: ['chain', 'history'],
  handle: ({ chain, history }) => {
    const record = history.blockByHeight(chain.height);
    const { baseFee } = chain.pendingContext();
    if (!record || listedReceipts(record).length === 0) return toHexQuantity((baseFee * 110n) / 100n);
    const median = pricePercentile(record, 50);
    return toHexQuantity(median > baseFee ? median : baseFee);
  },
});
