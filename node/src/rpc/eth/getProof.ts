import { readCodeHash, readNonce, storageKey } from '../../evm/index.ts';
import { readBalanceWei } from '../../ledger/index.ts';
import { toHexData, toHexQuantity } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { PointReads } from '../../state/view/index.ts';
import { asStateHeight } from '../blocks/blockResolvers.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { addressCodec } from '../codec/hexCodecs.ts';
import { proofKeysCodec } from '../codec/storageKey.ts';
import { formatProof } from '../format/proof.ts';
import { BAD_PROOF_KEYS } from '../methodErrors.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { ref } from '../schema/jsonSchema.ts';

/** The event loop gets its turn after so long. */
const TURN_MS = 3;

/** The root of an account's own trie, which this chain's tree does not have. */
const NO_ROOT = toHexData(new Uint8Array(32));

/** Storage words with ICS-23 proofs against the app hash in the next block's header (spec R-17). */
export const getProof = rpcMethod({
  name: 'eth_getProof',
  summary:
    'Storage words of an account with ICS-23 proofs, which hold against `stateRoot` of the next block; at `pending` those of the newest block',
  params: [
    param('address', addressCodec),
    param('keys', proofKeysCodec),
    resolved(param('block', blockIdCodec), asStateHeight),
  ],
  result: ref('Proof'),
  needs: ['proofs'],
  isLong: true,
  errors: BAD_PROOF_KEYS,
  uses: ['chain', 'stateCommit', 'turns'],
  handle: async (deps, [address, slots, version], { signal }) => {
    const hexValues: string[] = [];
    const storageProof: unknown[] = [];
    const share = deps.turns.share(TURN_MS);
    for (const slot of slots) {
      if (share.isOver) {
        await share.next();
        signal.throwIfAborted();
      }
      const proven = deps.stateCommit.queryWithProof(STORE.evm, storageKey(address, slot), version);
      hexValues.push(toHexData(proven.value ?? new Uint8Array(0)));
      storageProof.push(formatProof(slot, proven));
    }
    return { ...accountOf(deps.chain.stateAt(version), address), hexValues, storageProof };
  },
});

/** What Ethereum's clients want of an account; no proof of the answer covers it. */
function accountOf(state: PointReads, address: Uint8Array): Record<string, unknown> {
  return {
    address: toHexData(address),
    balance: toHexQuantity(readBalanceWei(state, address)),
    nonce: toHexQuantity(readNonce(state, address)),
    codeHash: toHexData(readCodeHash(state, address)),
    storageHash: NO_ROOT,
    accountProof: [],
  };
}
