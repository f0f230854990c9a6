import { requireHeld } from '../blocks/floors.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { callRequestCodec } from '../codec/callRequest.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { DEFAULT_TRACE_CONFIG, type TraceCallConfig, traceCallConfigCodec } from '../codec/traceConfig.ts';
import { TRACE_REFUSED, TRACING_FAILED } from '../methodErrors.ts';
import { RawJson } from '../rawJson.ts';
import { serverError } from '../rpcError.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { ref } from '../schema/jsonSchema.ts';
import { simulationOptions } from '../simulation/simulate.ts';
import { asTracedOn } from '../tracing/tracedBlocks.ts';
import { stateBefore, TRACE_READS } from '../tracing/traceTarget.ts';

const DEFAULT: TraceCallConfig = DEFAULT_TRACE_CONFIG;

/** Runs on the state after the block; with `txIndex`, on the state just before that ledger transaction of it. */
export const traceCall = rpcMethod({
  name: 'debug_traceCall',
  summary: 'Trace of a call on the state after a block, or before one of its ledger transactions',
  params: [
    param('call', callRequestCodec),
    resolved(param('block', blockIdCodec), asTracedOn),
    optionalParam('config', traceCallConfigCodec, DEFAULT),
  ],
  result: ref('Trace'),
  isLong: true,
  needs: ['blocks', 'state'],
  errors: [TRACE_REFUSED, TRACING_FAILED],
  uses: [...TRACE_READS, 'traces', 'evmChainId'],
  handle: async (deps, [request, record, { txIndex, stateOverrides, blockOverrides, ...config }], call) => {
    const { height } = record.block.header;
    const { maxResultBytes, javaScript, hexWords, allowedTracers } = deps.limits.tracing;
    const isBefore = txIndex !== undefined;
    if (isBefore) checkIndex(txIndex, record.block.txs.length, height);
    const traced = {
      request,
      options: simulationOptions(deps, request, { stateOverrides, blockOverrides }),
      config,
      limits: { maxResultBytes, javaScript, hexWords, allowedTracers },
      ...(isBefore && { after: record.block.txs.slice(0, txIndex) }),
    };
    if (!isBefore) requireHeld(deps, height, ['state']);
    const base = isBefore ? stateBefore(deps, height) : { version: height, height };
    return new RawJson(await deps.traces.call(base, traced, call));
  },
});

function checkIndex(index: number, count: number, height: number): void {
  if (index <= count) return;
  throw serverError(`transaction index ${index} out of range for block ${height}, which has ${count}`);
}
