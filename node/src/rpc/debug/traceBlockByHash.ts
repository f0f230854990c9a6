import { optionalParam, param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { DEFAULT_TRACE_CONFIG, traceConfigCodec } from '../codec/traceConfig.ts';
import { TRACE_REFUSED, TRACING_FAILED } from '../methodErrors.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { arrayOf, ref } from '../schema/jsonSchema.ts';
import { traceWholeBlock } from '../tracing/traceWholeBlock.ts';

export const traceBlockByHash = rpcMethod({
  name: 'debug_traceBlockByHash',
  summary: 'As debug_traceBlockByNumber, of the block with a hash',
  params: [param('blockHash', hashCodec), optionalParam('config', traceConfigCodec, DEFAULT_TRACE_CONFIG)],
  result: arrayOf(ref('TracedTransaction')),
  isLong: true,
  needs: ['blocks', 'receipts', 'stateBefore'],
  errors: [TRACE_REFUSED, TRACING_FAILED],
  handle: (deps, [id, config], call) => traceWholeBlock(deps, { id, config, skipsFailed: false }, call),
});
