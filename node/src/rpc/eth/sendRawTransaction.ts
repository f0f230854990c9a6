import { decodeTransaction, wrapEvmTransaction } from '../../evm/index.ts';
import { toHexData } from '../../primitives/index.ts';
import { param } from '../codec/codec.ts';
import { dataCodec } from '../codec/hexCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';

/** Puts a signed transaction into its ledger envelope and into the mempool; gives its hash. */
export const sendRawTransaction = rpcMethod({
  name: 'eth_sendRawTransaction',
  params: [param('transaction', dataCodec)],
  handle: async ({ mempool }, [raw]) => {
    const transaction = decodeTransaction(raw);
    await mempool.add(wrapEvmTransaction(transaction));
    return toHexData(transaction.hash);
  },
});
