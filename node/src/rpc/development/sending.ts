import { type EvmTransaction, impersonatedTransaction, wrapEvmTransaction } from '../../evm/index.ts';
import { toHexData } from '../../primitives/index.ts';
import { untilMined } from '../blocks/untilMined.ts';
import { callRequestCodec } from '../codec/callRequest.ts';
import { param } from '../codec/codec.ts';
import { formatPendingTransaction } from '../format/transaction.ts';
import { EXECUTION_REVERTED, REJECTED } from '../methodErrors.ts';
import { RPC_CODE } from '../rpcError.ts';
import { objectOf, ref } from '../schema/jsonSchema.ts';
import { DATA, HASH } from '../schema/valueSchemas.ts';
import { FILL_USES, fill, numbered } from '../simulation/fillTransaction.ts';
import { type DevelopmentUses, developmentMethods } from './developmentMethod.ts';
import { senderOf, signedBy, signedWith } from './hostedTransaction.ts';

export const NO_KEY = { code: RPC_CODE.server, message: 'no key of … here: unknown account' };
const SENDING_USES = [...FILL_USES, 'history'] as const;
const params = [param('transaction', callRequestCodec)] as const;

/** Where each transaction gets a block at once, tools ask for its receipt without waiting. */
async function handIn(
  deps: DevelopmentUses<typeof SENDING_USES>,
  make: () => EvmTransaction,
  signal: AbortSignal,
): Promise<string> {
  const { controls, sends } = deps.development;
  const transaction = await sends.run(async () => {
    const made = make();
    await deps.mempool.add(wrapEvmTransaction(made), { isLocal: true });
    return made;
  });
  if (deps.limits.waitForBlock) await untilMined(deps, transaction.hash, signal);
  else if (controls.blockTimeMs === 0) await controls.settled();
  return toHexData(transaction.hash);
}

export const SENDING = [
  ...developmentMethods(['eth_sendTransaction'], {
    summary: 'Signs with a hosted key, or sends in the name of an impersonated account, and gives the hash',
    params,
    result: HASH,
    errors: [NO_KEY, REJECTED, EXECUTION_REVERTED],
    uses: SENDING_USES,
    handle: async (deps, [request], { signal }) => {
      const sender = senderOf(deps, request);
      if (!deps.development.isImpersonated(sender)) deps.development.keyOf(sender);
      const filled = await fill(deps, { request, sender, signal });
      const make = () => signedBy(deps, sender, numbered(deps, sender, { filled, nonce: request.nonce }));
      return handIn(deps, make, signal);
    },
  }),
  ...developmentMethods(['eth_sendUnsignedTransaction'], {
    summary: 'Sends in the name of any account, without its signature',
    params,
    result: HASH,
    errors: [REJECTED, EXECUTION_REVERTED],
    uses: SENDING_USES,
    handle: async (deps, [request], { signal }) => {
      const sender = senderOf(deps, request);
      const filled = await fill(deps, { request, sender, signal });
      const make = () =>
        impersonatedTransaction(numbered(deps, sender, { filled, nonce: request.nonce }), sender);
      return handIn(deps, make, signal);
    },
  }),
  ...developmentMethods(['eth_signTransaction'], {
    summary: 'Signs a transaction with a hosted key; `raw` is for eth_sendRawTransaction',
    params,
    result: objectOf({ raw: DATA, tx: ref('Transaction') }),
    errors: [NO_KEY, EXECUTION_REVERTED],
    uses: SENDING_USES,
    handle: async (deps, [request], { signal }) => {
      const sender = senderOf(deps, request);
      const key = deps.development.keyOf(sender);
      const filled = await fill(deps, { request, sender, signal });
      const unsigned = numbered(deps, sender, { filled, nonce: request.nonce });
      const signed = signedWith(key, unsigned);
      return { raw: toHexData(signed.raw), tx: formatPendingTransaction(signed, sender) };
    },
  }),
];
