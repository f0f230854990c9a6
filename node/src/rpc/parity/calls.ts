import { decodeTransaction, recoverSenderKey } from '../../evm/index.ts';
import { evmAddressOf } from '../../primitives/index.ts';
import type { ReplayParts } from '../../tracing/index.ts';
import { type BlockId, blockIdCodec } from '../codec/blockId.ts';
import { type CallParameter, callRequestCodec } from '../codec/callRequest.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { dataCodec } from '../codec/hexCodecs.ts';
import { replayTypesCodec } from '../codec/replayTypes.ts';
import { tracedCallsCodec } from '../codec/tracedCalls.ts';
import { RawJson } from '../rawJson.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { type RpcCall, type RpcMethod, rpcMethod } from '../rpcMethod.ts';
import { arrayOf, ref } from '../schema/jsonSchema.ts';
import { checkChainId } from '../simulation/simulate.ts';
import { stateAfter } from '../tracing/traceTarget.ts';
import { OF_CALLS, replayConfig } from './replayConfig.ts';

const blockParam = optionalParam('block', blockIdCodec, 'latest' as const);

/** Calls and transactions that no block has, run as Parity and Erigon show it, on the state after a block (spec R-23). */
export const PARITY_CALLS: readonly RpcMethod[] = [
  rpcMethod({
    name: 'trace_call',
    summary: 'A call run after a block: output, flat trace, changes of state',
    params: [param('call', callRequestCodec), param('types', replayTypesCodec), blockParam],
    result: ref('Replay'),
    ...OF_CALLS,
    handle: async (deps, [request, types, block], call) =>
      first(await replay(deps, [[request, types]], block, call)),
  }),
  rpcMethod({
    name: 'trace_callMany',
    summary:
      'Calls run after a block, each on what the ones before left: output, flat trace, changes of state',
    params: [param('calls', tracedCallsCodec), blockParam],
    result: arrayOf(ref('Replay')),
    ...OF_CALLS,
    handle: async (deps, [calls, block], call) => new RawJson(await replay(deps, calls, block, call)),
  }),
  rpcMethod({
    name: 'trace_rawTransaction',
    summary:
      'A signed transaction run after the newest block, and not handed in: output, flat trace, changes of state',
    params: [param('transaction', dataCodec), param('types', replayTypesCodec)],
    result: ref('Replay'),
    ...OF_CALLS,
    handle: async (deps, [raw, types], call) =>
      first(await replay(deps, [[requestOf(raw), types]], 'latest', call)),
  }),
];

type TypedCall = readonly [request: CallParameter, types: ReplayParts];

async function replay(
  deps: RpcDeps,
  calls: readonly TypedCall[],
  block: BlockId,
  { signal }: Pick<RpcCall, 'signal'>,
): Promise<Uint8Array> {
  for (const [request] of calls) checkChainId(request, deps.evmChainId);
  const { maxResultBytes, javaScript, hexWords, allowedTracers } = deps.limits.tracing;
  const traced = {
    calls: calls.map(([request, types]) => ({ request, config: replayConfig(types) })),
    options: { timeoutMs: deps.limits.simulationTimeoutMs },
    limits: { maxResultBytes, javaScript, hexWords, allowedTracers },
  };
  return deps.traces.run('traceCalls', stateAfter(deps, block), { params: { traced }, signal });
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
