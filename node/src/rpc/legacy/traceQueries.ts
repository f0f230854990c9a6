import { traceBlockByHash } from '../debug/traceBlockByHash.ts';
import { traceBlockByNumber } from '../debug/traceBlockByNumber.ts';
import type { RpcMethod } from '../rpcMethod.ts';
import { type BlockTraceWish, traceWholeBlock } from '../tracing/traceWholeBlock.ts';

/** Both methods have the same two parameters. */
type TraceArguments = readonly [record: BlockTraceWish['record'], config: BlockTraceWish['config']];

/** Block traces without the entries that could not be traced; they count for themselves (spec G-6). */
export const TRACE_QUERIES: readonly RpcMethod[] = [traceBlockByHash, traceBlockByNumber].map((method) => ({
  ...method,
  name: `${method.name.replace('debug_', 'chain_')}ExcludeTraceFail`,
  summary: `As ${method.name}, without transactions that cannot be traced`,
  given: ({ legacyTraces }) => ({ traces: legacyTraces }),
  handle: (deps, args, call) => {
    const [record, config] = args as TraceArguments;
    return traceWholeBlock(deps, { record, config, skipsFailed: true }, call);
  },
}));
