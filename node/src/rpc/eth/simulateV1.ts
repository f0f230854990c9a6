import { asSimulated } from '../blocks/blockResolvers.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { simulatePayloadCodec } from '../codec/simulatePayload.ts';
import { SIMULATION_REFUSED } from '../methodErrors.ts';
import { RawJson } from '../rawJson.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { arrayOf, ref } from '../schema/jsonSchema.ts';
import { planBlocks } from '../simulation/planBlocks.ts';
import { checkChainId, checkOverrides, simulationBase } from '../simulation/simulate.ts';

export const simulateV1 = rpcMethod({
  name: 'eth_simulateV1',
  summary:
    'Runs calls as transactions of blocks to come, each block on what the one before left; nothing is kept',
  params: [
    param('payload', simulatePayloadCodec),
    resolved(optionalParam('block', blockIdCodec, 'latest' as const), asSimulated),
  ],
  result: arrayOf(ref('SimulatedBlock')),
  isLong: true,
  needs: ['state', 'blocks'],
  errors: SIMULATION_REFUSED,
  uses: ['chain', 'jobs', 'limits', 'evmChainId', 'pending'],
  handle: async (deps, [payload, block], { signal }) => {
    const { blocks, validation, traceTransfers, returnFullTransactions } = payload;
    for (const { stateOverrides, calls } of blocks) {
      checkOverrides(stateOverrides, deps.limits);
      for (const call of calls) checkChainId(call, deps.evmChainId);
    }
    const base = await simulationBase(deps, block);
    const { height, time } = base.context;
    const planned = planBlocks(blocks, { number: height, time: time.seconds });
    const json = await deps.jobs.run(
      'simulate',
      {
        base,
        baseHash: deps.chain.blockHash(height) ?? new Uint8Array(32),
        blocks: planned,
        validation,
        traceTransfers,
        fullTransactions: returnFullTransactions,
      },
      { timeoutMs: deps.limits.simulationTimeoutMs, signal },
    );
    return new RawJson(json);
  },
});
