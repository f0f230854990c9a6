import { toHexData } from '../../primitives/index.ts';
import { listedReceipt } from '../blocks/listedTransactions.ts';
import { submitTransaction } from '../blocks/submitTransaction.ts';
import { untilMined } from '../blocks/untilMined.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { dataCodec } from '../codec/hexCodecs.ts';
import { millisecondsCodec } from '../codec/plainCodecs.ts';
import { REJECTED } from '../methodErrors.ts';
import { RpcError } from '../rpcError.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { ref } from '../schema/jsonSchema.ts';

/** EIP-7966's code of a transaction that is in no block in time; `data` is its hash. */
const NOT_IN_TIME = 4;
const DEFAULT_MS = 20_000;
const MAX_MS = 60_000;

/** EIP-7966: a receipt without polling for it. */
export const sendRawTransactionSync = rpcMethod({
  name: 'eth_sendRawTransactionSync',
  summary: 'Hands in a signed transaction and gives its receipt once a block holds it',
  params: [param('transaction', dataCodec), optionalParam('timeout', millisecondsCodec, DEFAULT_MS)],
  result: ref('Receipt'),
  errors: [
    REJECTED,
    { code: NOT_IN_TIME, message: 'the transaction was added to the mempool but no block took it in … ms' },
  ],
  uses: ['mempool', 'development', 'chain', 'history', 'blockJson'],
  handle: async (deps, [raw, wanted], { signal }) => {
    const timeoutMs = Math.min(wanted || DEFAULT_MS, MAX_MS);
    const hash = await submitTransaction(deps, raw);
    await untilMined(deps, hash, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
    const found = deps.history.transactionByHash(hash);
    const receipt = found && listedReceipt(found);
    if (receipt) return deps.blockJson.receipt(found.record, receipt);
    const message = `the transaction was added to the mempool but no block took it in ${timeoutMs} ms`;
    throw new RpcError(NOT_IN_TIME, message, toHexData(hash));
  },
});
