import { blockIdCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { addressCodec, dataCodec } from '../codec/hexCodecs.ts';
import { integerAt } from '../codec/plainCodecs.ts';
import { TRACE_REFUSED } from '../methodErrors.ts';
import { InvalidParam, serverError } from '../rpcError.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { mapOf, nullable, objectOf } from '../schema/jsonSchema.ts';
import { HASH } from '../schema/valueSchemas.ts';
import { storageRange } from '../tracing/storageRange.ts';
import { asTraced } from '../tracing/tracedBlocks.ts';
import { stateBefore, TRACE_READS } from '../tracing/traceTarget.ts';

const SLOT_BYTES = 32;

/** Ordered by slot, where geth orders by the slot's hash; `nextKey` goes on where an answer ended. */
export const storageRangeAt = rpcMethod({
  name: 'debug_storageRangeAt',
  summary: 'Storage of a contract before a ledger transaction of a block; not with evm-ss-split',
  params: [
    resolved(param('block', blockIdCodec), asTraced),
    param('transactionIndex', integerAt()),
    param('address', addressCodec),
    param('startKey', dataCodec),
    param('maxResult', integerAt()),
  ],
  result: objectOf({
    storage: mapOf('^0x[0-9a-f]{64}$', objectOf({ key: HASH, value: HASH })),
    nextKey: nullable(HASH),
  }),
  needs: ['blocks', 'stateBefore'],
  errors: [TRACE_REFUSED],
  uses: [...TRACE_READS, 'traces'],
  handle: async (deps, [record, index, address, startKey, maxResult], call) => {
    if (startKey.length > SLOT_BYTES) throw new InvalidParam('startKey has more than 32 bytes');
    if (maxResult < 0) throw new InvalidParam(`maxResult is ${maxResult}, which is below 0`);
    const { header, txs } = record.block;
    if (index < 0 || index > txs.length) {
      throw serverError(
        `transaction index ${index} out of range for block ${header.height}, which has ${txs.length}`,
      );
    }
    const wish = {
      base: stateBefore(deps, header.height),
      txs: txs.slice(0, index),
      address,
      startKey,
      maxResult,
    };
    return storageRange(deps, wish, call);
  },
});
