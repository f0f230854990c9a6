import { toHexData } from '../../primitives/index.ts';
import { submitTransaction } from '../blocks/submitTransaction.ts';
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
  uses: ['mempool', 'development', 'limits', 'chain', 'history'],
  isSubmission: true,
  handle: async (deps, [raw], { signal }) => {
    const hash = await submitTransaction(deps, raw);
    if (deps.limits.waitForBlock) await untilMined(deps, hash, signal);
    return toHexData(hash);
  },
});
