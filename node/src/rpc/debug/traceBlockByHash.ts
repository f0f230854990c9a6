import { optionalParam, param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { DEFAULT_TRACE_CONFIG, traceConfigCodec } from '../codec/traceConfig.ts';
import { TRACE_REFUSED, TRACING_FAILED } from '../methodErrors.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { arrayOf, ref } from '../schema/jsonSchema.ts';
import { asTraced } from '../tracing/tracedBlocks.ts';
import { BLOCK_TRACE_USES, traceWholeBlock } from '../tracing/traceWholeBlock.ts';

export const traceBlockByHash = rpcMethod({
  name: 'debug_traceBlockByHash',
  summary: 'As debug_traceBlockByNumber, of the block with a hash',
  params: [
    resolved(param('blockHash', hashCodec), asTraced),
    optionalParam('config', traceConfigCodec, DEFAULT_TRACE_CONFIG),
  ],
  result: arrayOf(ref('TracedTransaction')),
  isLong: true,
  needs: ['blocks', 'receipts', 'stateBefore'],
  errors: [TRACE_REFUSED, TRACING_FAILED],
  uses: BLOCK_TRACE_USES,
  handle: (deps, [record, config], call) =>
    traceWholeBlock(deps, { record, config, skipsFailed: false }, call),
});
