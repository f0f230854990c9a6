import { toHexQuantity } from '../../primitives/index.ts';
import { asSimulated } from '../blocks/blockResolvers.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { callRequestCodec } from '../codec/callRequest.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { stateOverridesCodec } from '../codec/overrides.ts';
import { EXECUTION_FAILED } from '../methodErrors.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { objectOf, ref } from '../schema/jsonSchema.ts';
import { QUANTITY, STRING } from '../schema/valueSchemas.ts';
import { simulationBase, simulationOptions } from '../simulation/simulate.ts';

/** The addresses and slots that a call touches, and its gas with them listed (spec R-16). */
export const createAccessList = rpcMethod({
  name: 'eth_createAccessList',
  summary: 'Addresses and slots that a call touches, and its gas with them listed',
  params: [
    param('call', callRequestCodec),
    resolved(optionalParam('block', blockIdCodec, 'pending' as const), asSimulated),
    optionalParam('stateOverrides', stateOverridesCodec, undefined),
  ],
  result: objectOf({ accessList: ref('AccessList'), gasUsed: QUANTITY }, { error: STRING }),
  isLong: true,
  needs: ['state', 'blocks'],
  errors: [EXECUTION_FAILED],
  uses: ['chain', 'jobs', 'limits', 'evmChainId', 'pending'],
  handle: async (deps, [request, block, stateOverrides], { signal }) => {
    const base = await simulationBase(deps, block);
    const options = simulationOptions(deps, request, { stateOverrides });
    const run = { timeoutMs: deps.limits.simulationTimeoutMs, signal };
    const { accessList, status, error, gasUsed } = await deps.jobs.run(
      'accessList',
      { base, request, options },
      run,
    );
    return { accessList, ...(status !== 'success' && { error }), gasUsed: toHexQuantity(gasUsed) };
  },
});
