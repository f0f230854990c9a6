import { blockNumberCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { countCodec, percentilesCodec } from '../codec/plainCodecs.ts';
import { FEE_HISTORY_USES, feeHistory as readFeeHistory } from '../fees/feeHistory.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { ref } from '../schema/jsonSchema.ts';

export const feeHistory = rpcMethod({
  name: 'eth_feeHistory',
  summary: 'Base fees, gas used and tips of up to 2,000 blocks; the last base fee is that of the next block',
  params: [
    param('blockCount', countCodec),
    param('newestBlock', blockNumberCodec),
    param('rewardPercentiles', percentilesCodec),
  ],
  result: ref('FeeHistory'),
  needs: ['blocks', 'receipts'],
  uses: FEE_HISTORY_USES,
  handle: (deps, [count, newest, percentiles], { signal }) =>
    readFeeHistory(deps, { count, newest, percentiles, signal }),
});
