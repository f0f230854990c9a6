import { blockNumberCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { countCodec, percentilesCodec } from '../codec/plainCodecs.ts';
import { feeHistory as readFeeHistory } from '../fees/feeHistory.ts';
import { rpcMethod } from '../rpcMethod.ts';

export const feeHistory = rpcMethod({
  name: 'eth_feeHistory',
  params: [
    param('blockCount', countCodec),
    param('newestBlock', blockNumberCodec),
    param('rewardPercentiles', percentilesCodec),
  ],
  handle: (deps, [count, newest, percentiles]) => readFeeHistory(deps, count, newest, percentiles),
});
