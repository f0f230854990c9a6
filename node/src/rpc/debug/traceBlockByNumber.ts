import { blockNumberCodec } from '../codec/blockId.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { DEFAULT_TRACE_CONFIG, traceConfigCodec } from '../codec/traceConfig.ts';
import { TRACE_REFUSED, TRACING_FAILED } from '../methodErrors.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { arrayOf, ref } from '../schema/jsonSchema.ts';
import { asTraced } from '../tracing/tracedBlocks.ts';
import { BLOCK_TRACE_USES, traceWholeBlock } from '../tracing/traceWholeBlock.ts';

export const traceBlockByNumber = rpcMethod({
  name: 'debug_traceBlockByNumber',
  summary:
    "Traces of all EVM transactions of a block, which is run again; the struct logger's when none is named",
  params: [
    resolved(param('block', blockNumberCodec), asTraced),
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
