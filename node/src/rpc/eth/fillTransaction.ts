import { signedTransaction } from '../../evm/index.ts';
import { toHexData } from '../../primitives/index.ts';
import { callRequestCodec } from '../codec/callRequest.ts';
import { param } from '../codec/codec.ts';
import { formatUnsignedTransaction } from '../format/transaction.ts';
import { EXECUTION_FAILED, EXECUTION_REVERTED } from '../methodErrors.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { objectOf, ref } from '../schema/jsonSchema.ts';
import { DATA } from '../schema/valueSchemas.ts';
import { FILL_USES, fill, numbered } from '../simulation/fillTransaction.ts';

const NOBODY = new Uint8Array(20);
const NO_SIGNATURE = { v: 0n, r: 0n, s: 0n };

/** For wallets that sign elsewhere; `raw` has an empty signature, as geth gives it. */
export const fillTransaction = rpcMethod({
  name: 'eth_fillTransaction',
  summary: 'Fills in nonce, gas and fees of a transaction, ready to be signed',
  params: [param('transaction', callRequestCodec)],
  result: objectOf({ raw: DATA, tx: ref('UnsignedTransaction') }),
  isLong: true,
  errors: [EXECUTION_REVERTED, EXECUTION_FAILED],
  uses: FILL_USES,
  handle: async (deps, [request], { signal }) => {
    const sender = request.from ?? NOBODY;
    const filled = await fill(deps, { request, sender, signal });
    const unsigned = numbered(deps, sender, { filled, nonce: request.nonce });
    const { raw } = signedTransaction(unsigned, NO_SIGNATURE);
    return { raw: toHexData(raw), tx: formatUnsignedTransaction(unsigned, sender) };
  },
});
