import { toHexData } from '../../primitives/index.ts';
import { heightOf } from '../blocks/resolveBlock.ts';
import { param } from '../codec/codec.ts';
import { type TraceFilter, traceFilterCodec } from '../codec/traceFilter.ts';
import { requireForward } from '../filters/logRange.ts';
import { REVERSED_RANGE } from '../methodErrors.ts';
import { RawJson } from '../rawJson.ts';
import { serverError } from '../rpcError.ts';
import { type RpcCall, type RpcMethod, rpcMethod, type Uses } from '../rpcMethod.ts';
import { arrayOf, ref } from '../schema/jsonSchema.ts';
import { tracedHeights } from '../tracing/tracedHeights.ts';
import { tracedJob } from '../tracing/traceTarget.ts';
import { FLAT_CONFIG, OF_BLOCKS, REPLAY_USES } from './replayConfig.ts';

const USES = [...REPLAY_USES, 'turns'] as const;

/** From the first block to the newest one unless it says otherwise; the span has the limit of log queries (spec R-24). */
export const traceFilter: RpcMethod = rpcMethod({
  name: 'trace_filter',
  summary: 'Flat traces of a range of blocks by who called or was called',
  params: [param('filter', traceFilterCodec)],
  result: arrayOf(ref('ParityTrace')),
  ...OF_BLOCKS,
  uses: USES,
  errors: [...OF_BLOCKS.errors, REVERSED_RANGE],
  handle: async (deps, [filter], call) => new RawJson(`[${(await matching(deps, filter, call)).join(',')}]`),
});

async function matching(deps: Uses<typeof USES>, filter: TraceFilter, call: RpcCall): Promise<string[]> {
  const { count = Number.POSITIVE_INFINITY } = filter;
  if (count === 0) return [];
  const match = { from: hexes(filter.senders), to: hexes(filter.receivers), mode: filter.mode };
  const found: string[] = [];
  let bytesLeft = deps.limits.tracing.maxResultBytes;
  let toSkip = filter.after;
  for await (const block of tracedHeights(deps, rangeOf(deps, filter), call)) {
    if (block.receipts.length === 0) continue;
    const { base, traced } = tracedJob(deps, block, FLAT_CONFIG);
    const traces = await deps.traces.run('matchingTraces', base, {
      params: { traced, match },
      signal: call.signal,
    });
    const kept = traces.slice(toSkip, toSkip + count - found.length);
    toSkip = Math.max(0, toSkip - traces.length);
    bytesLeft -= kept.reduce((sum, json) => sum + json.length, 0);
    if (bytesLeft < 0)
      throw serverError(`the traces up to block ${block.height} are too large for one answer`);
    for (const json of kept) found.push(json);
    if (found.length >= count) break;
  }
  return found;
}

function rangeOf(
  deps: Uses<typeof USES>,
  filter: TraceFilter,
): { readonly from: number; readonly to: number } {
  const { chain, initialHeight, limits } = deps;
  const at = (block: TraceFilter['from'], absent: number): number => {
    if (block === undefined) return absent;
    return block === 'earliest' ? initialHeight : Math.max(heightOf(deps, block), initialHeight);
  };
  const from = at(filter.from, initialHeight);
  const to = at(filter.to, chain.height);
  requireForward(from, to);
  if (to > chain.height)
    throw serverError(`requested toBlock ${to} is after latest available block ${chain.height}`);
  const span = to - from + 1;
  if (span > limits.maxLogBlocks) {
    throw serverError(`block range too large (${span}), maximum allowed is ${limits.maxLogBlocks} blocks`);
  }
  return { from, to };
}

function hexes(addresses: readonly Uint8Array[] | undefined): string[] | undefined {
  return addresses?.map(toHexData);
}
