import { toHexData, toHexQuantity } from '../../primitives/index.ts';
import { listedReceipt } from '../blocks/listedTransactions.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { TRACE_REFUSED, TRACING_FAILED } from '../methodErrors.ts';
import { RawJson } from '../rawJson.ts';
import { RPC_CODE, serverError } from '../rpcError.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { arrayOf, mapOf, nullable, objectOf, ref } from '../schema/jsonSchema.ts';
import { DATA, HASH, QUANTITY } from '../schema/valueSchemas.ts';
import { blockToTrace, stateBefore, TRACE_READS } from '../tracing/traceTarget.ts';

const UNKNOWN = 'receipt not found';

export const traceStateAccess = rpcMethod({
  name: 'debug_traceStateAccess',
  summary: 'What running a transaction again reads: rows of the stores, its block, and its receipt',
  params: [param('transactionHash', hashCodec)],
  result: objectOf({
    app: mapOf('^[a-z_]+$', mapOf('^0x[0-9a-f]*$', nullable(DATA))),
    tendermint: objectOf({ hash: HASH, number: QUANTITY, txs: arrayOf(DATA) }),
    receipt: ref('Receipt'),
  }),
  isLong: true,
  needs: ['blocks', 'receipts', 'stateBefore'],
  errors: [{ code: RPC_CODE.server, message: UNKNOWN }, TRACE_REFUSED, TRACING_FAILED],
  uses: [...TRACE_READS, 'traces', 'blockJson'],
  handle: async (deps, [hash], { signal }) => {
    const found = deps.history.transactionByHash(hash);
    const receipt = found && listedReceipt(found);
    if (!receipt) throw serverError(UNKNOWN);
    const record = blockToTrace(deps, receipt.blockNumber);
    const txs = record.block.txs.slice(0, receipt.ledgerIndex + 1);
    const base = stateBefore(deps, receipt.blockNumber);
    const app = await deps.traces.run('stateAccess', base, { params: { txs }, signal });
    const block = JSON.stringify({
      hash: toHexData(record.block.id.hash),
      number: toHexQuantity(receipt.blockNumber),
      txs: txs.map(toHexData),
    });
    const shown = deps.blockJson.receipt(record, receipt).text;
    return new RawJson(`{"app":${new RawJson(app).text},"tendermint":${block},"receipt":${shown}}`);
  },
});
