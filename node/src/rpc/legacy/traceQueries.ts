import { traceBlockByHash } from '../debug/traceBlockByHash.ts';
import { traceBlockByNumber } from '../debug/traceBlockByNumber.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import type { RpcCall, RpcMethod } from '../rpcMethod.ts';
import { type BlockTraceWish, traceWholeBlock } from '../tracing/traceWholeBlock.ts';

/** Block traces without the entries that could not be traced; they count for themselves (spec G-6). */
export const TRACE_QUERIES: readonly RpcMethod[] = [traceBlockByHash, traceBlockByNumber].map((method) => ({
  ...method,
  name: `${method.name.replace('debug_', 'chain_')}ExcludeTraceFail`,
  summary: `As ${method.name}, without transactions that cannot be traced`,
  handle: (deps, args, call) => tracesThatWorked(deps, args as TraceArguments, call),
}));

/** Both methods have the same two parameters. */
type TraceArguments = readonly [id: BlockTraceWish['id'], config: BlockTraceWish['config']];

function tracesThatWorked(deps: RpcDeps, [id, config]: TraceArguments, call: RpcCall) {
  return traceWholeBlock({ ...deps, traces: deps.legacyTraces }, { id, config, skipsFailed: true }, call);
}
