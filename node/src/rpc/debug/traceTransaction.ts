import { SYNTHETIC_TYPE } from '../../types/index.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { DEFAULT_TRACE_CONFIG, traceConfigCodec } from '../codec/traceConfig.ts';
import { TRACE_REFUSED, TRACING_FAILED } from '../methodErrors.ts';
import { RawJson } from '../rawJson.ts';
import { RPC_CODE, RpcError, serverError } from '../rpcError.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { ref } from '../schema/jsonSchema.ts';
import { blockToTrace, TRACE_READS, tracedJob } from '../tracing/traceTarget.ts';

const UNKNOWN = 'transaction indexing is in progress';

export const traceTransaction = rpcMethod({
  name: 'debug_traceTransaction',
  summary: 'Trace of a transaction, which is run again behind those before it in its block',
  params: [
    param('transactionHash', hashCodec),
    optionalParam('config', traceConfigCodec, DEFAULT_TRACE_CONFIG),
  ],
  result: ref('Trace'),
  isLong: true,
  needs: ['blocks', 'receipts', 'stateBefore'],
  errors: [{ code: RPC_CODE.server, message: UNKNOWN }, TRACE_REFUSED, TRACING_FAILED],
  uses: [...TRACE_READS, 'traces'],
  handle: async (deps, [hash, config], call) => {
    const found = deps.history.transactionByHash(hash);
    if (!found) throw new RpcError(RPC_CODE.server, UNKNOWN, UNKNOWN);
    const { height } = found.record.block.header;
    const { receipt } = found;
    const record = blockToTrace(deps, height);
    if (receipt.type === SYNTHETIC_TYPE) {
      throw serverError(`cannot replay non-EVM transaction ${receipt.ledgerIndex} at block ${height}`);
    }
    const { base, traced } = tracedJob(deps, { record, receipts: [receipt] }, config);
    return new RawJson(await deps.traces.transaction(base, traced, call));
  },
});
