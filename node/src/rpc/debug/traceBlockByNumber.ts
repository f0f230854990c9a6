import { blockNumberCodec } from '../codec/blockId.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { DEFAULT_TRACE_CONFIG, traceConfigCodec } from '../codec/traceConfig.ts';
import { TRACE_REFUSED, TRACING_FAILED } from '../methodErrors.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { arrayOf, ref } from '../schema/jsonSchema.ts';
import { traceWholeBlock } from '../tracing/traceWholeBlock.ts';

export const traceBlockByNumber = rpcMethod({
  name: 'debug_traceBlockByNumber',
  summary:
    "Traces of all EVM transactions of a block, which is run again; the struct logger's when none is named",
  params: [param('block', blockNumberCodec), optionalParam('config', traceConfigCodec, DEFAULT_TRACE_CONFIG)],
  result: arrayOf(ref('TracedTransaction')),
  isLong: true,
  needs: ['blocks', 'receipts', 'stateBefore'],
  errors: [TRACE_REFUSED, TRACING_FAILED],
  handle: (deps, [id, config], call) => traceWholeBlock(deps, { id, config, skipsFailed: false }, call),
});
