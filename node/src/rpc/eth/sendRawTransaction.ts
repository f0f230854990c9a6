import {
  decodeTransaction,
  impersonatedSender,
  recoverSenderKey,
  wrapEvmTransaction,
} from '../../evm/index.ts';
import { toHexData } from '../../primitives/index.ts';
import { untilMined } from '../blocks/untilMined.ts';
import { param } from '../codec/codec.ts';
import { dataCodec } from '../codec/hexCodecs.ts';
import { REJECTED } from '../methodErrors.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { HASH } from '../schema/valueSchemas.ts';

/** Puts a signed transaction into its ledger envelope and into the mempool; a slow node waits for its block. */
export const sendRawTransaction = rpcMethod({
  name: 'eth_sendRawTransaction',
  summary: 'Hands in a signed transaction and gives its hash',
  params: [param('transaction', dataCodec)],
  result: HASH,
  errors: [REJECTED],
  handle: async (deps, [raw], { signal }) => {
    const transaction = decodeTransaction(raw);
    // A named sender is for eth_sendTransaction alone; here it is a signature that is wrong, and this throws.
    if (deps.development && impersonatedSender(transaction)) recoverSenderKey(transaction);
    await deps.mempool.add(wrapEvmTransaction(transaction));
    if (deps.limits.waitForBlock) await untilMined(deps, transaction.hash, signal);
    return toHexData(transaction.hash);
  },
});
