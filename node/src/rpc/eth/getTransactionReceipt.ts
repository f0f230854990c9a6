import { listedReceipt } from '../blocks/listedTransactions.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { nullable, ref } from '../schema/jsonSchema.ts';

/** The receipt of a mined EVM transaction; null when unknown. */
export const getTransactionReceipt = rpcMethod({
  name: 'eth_getTransactionReceipt',
  summary: 'Receipt of a mined transaction; null when unknown or waiting',
  params: [param('hash', hashCodec)],
  result: nullable(ref('Receipt')),
  uses: ['history', 'blockJson'],
  handle: ({ history, blockJson }, [hash]) => {
    const found = history.transactionByHash(hash);
    const receipt = found && listedReceipt(found);
    return receipt ? blockJson.receipt(found.record, receipt) : null;
  },
});
