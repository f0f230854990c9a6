import { decodeTransaction, recoverSenderKey } from '../../evm/index.ts';
import { evmAddressOf } from '../../primitives/index.ts';
import type { ReplayParts } from '../../tracing/index.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { type CallParameter, callRequestCodec } from '../codec/callRequest.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { dataCodec } from '../codec/hexCodecs.ts';
import { replayTypesCodec } from '../codec/replayTypes.ts';
import { tracedCallsCodec } from '../codec/tracedCalls.ts';
import { RawJson } from '../rawJson.ts';
import { type RpcCall, type RpcMethod, resolved, rpcMethod, type Uses } from '../rpcMethod.ts';
import { arrayOf, ref } from '../schema/jsonSchema.ts';
import { checkChainId } from '../simulation/simulate.ts';
import { asStateTracedOn } from '../tracing/tracedBlocks.ts';
import type { TraceBase } from '../tracing/traceRunner.ts';
import { blockToTrace, TRACE_READS, type TraceReads } from '../tracing/traceTarget.ts';
import { OF_CALLS, replayConfig } from './replayConfig.ts';

const USES = ['traces', 'limits', 'evmChainId'] as const;
const blockParam = resolved(optionalParam('block', blockIdCodec, 'latest' as const), asStateTracedOn);

/** Calls and transactions that no block has, run as Parity and Erigon show it, on the state after a block (spec R-23). */
export const PARITY_CALLS: readonly RpcMethod[] = [
  rpcMethod({
    name: 'trace_call',
    summary: 'A call run after a block: output, flat trace, changes of state',
    params: [param('call', callRequestCodec), param('types', replayTypesCodec), blockParam],
    result: ref('Replay'),
    ...OF_CALLS,
    uses: USES,
    handle: async (deps, [request, types, base], call) =>
      first(await replay(deps, { calls: [[request, types]], base }, call)),
  }),
  rpcMethod({
    name: 'trace_callMany',
    summary:
      'Calls run after a block, each on what the ones before left: output, flat trace, changes of state',
    params: [param('calls', tracedCallsCodec), blockParam],
    result: arrayOf(ref('Replay')),
    ...OF_CALLS,
    uses: USES,
    handle: async (deps, [calls, base], call) => new RawJson(await replay(deps, { calls, base }, call)),
  }),
  rpcMethod({
    name: 'trace_rawTransaction',
    summary:
      'A signed transaction run after the newest block, and not handed in: output, flat trace, changes of state',
    params: [param('transaction', dataCodec), param('types', replayTypesCodec)],
    result: ref('Replay'),
    ...OF_CALLS,
    uses: [...TRACE_READS, ...USES],
    handle: async (deps, [raw, types], call) =>
      first(await replay(deps, { calls: [[requestOf(raw), types]], base: newest(deps) }, call)),
  }),
];

type TypedCall = readonly [request: CallParameter, types: ReplayParts];

async function replay(
  deps: Uses<typeof USES>,
  { calls, base }: { readonly calls: readonly TypedCall[]; readonly base: TraceBase },
  { signal }: Pick<RpcCall, 'signal'>,
): Promise<Uint8Array> {
  for (const [request] of calls) checkChainId(request, deps.evmChainId);
  const { maxResultBytes, javaScript, hexWords, allowedTracers } = deps.limits.tracing;
  const traced = {
    calls: calls.map(([request, types]) => ({ request, config: replayConfig(types) })),
    options: { timeoutMs: deps.limits.simulationTimeoutMs },
    limits: { maxResultBytes, javaScript, hexWords, allowedTracers },
  };
  return deps.traces.run('traceCalls', base, { params: { traced }, signal });
}

/** The state after the newest block, which a node always has unless its chain has not begun. */
function newest(deps: TraceReads): TraceBase {
  const { height } = blockToTrace(deps, 'latest').block.header;
  return { version: height, height };
}

/** The one member of a list. */
function first(list: Uint8Array): RawJson {
  return new RawJson(list.subarray(1, -1));
}

function requestOf(raw: Uint8Array): CallParameter {
  const transaction = decodeTransaction(raw);
  const { to, gasLimit, gasPrice, value, nonce, data, chainId, accessList, authorizationList } = transaction;
  const hasPrice = gasPrice !== undefined;
  return {
    from: evmAddressOf(recoverSenderKey(transaction)),
    to,
    gas: gasLimit,
    gasPrice,
    maxFeePerGas: hasPrice ? undefined : transaction.maxFeePerGas,
    maxPriorityFeePerGas: hasPrice ? undefined : transaction.maxPriorityFeePerGas,
    value,
    nonce,
    data,
    accessList,
    authorizationList,
    chainId,
    hasBlobs: false,
  };
}
