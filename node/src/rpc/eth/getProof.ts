import { EVM_STORE, storageKey } from '../../evm/index.ts';
import { toHexData } from '../../primitives/index.ts';
import { provableHeight } from '../blocks/resolveBlock.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { addressCodec } from '../codec/hexCodecs.ts';
import { proofKeysCodec } from '../codec/storageKey.ts';
import { formatProof } from '../format/proof.ts';
import { BAD_PROOF_KEYS } from '../methodErrors.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { ref } from '../schema/jsonSchema.ts';

/** The event loop gets its turn after so long. */
const TURN_MS = 3;

/** Storage words with ICS-23 proofs against the app hash in the next block's header (json-rpc.md §2.9). */
export const getProof = rpcMethod({
  name: 'eth_getProof',
  summary:
    'Storage words of an account with ICS-23 proofs, which hold against `stateRoot` of the next block; at `pending` those of the newest block',
  params: [param('address', addressCodec), param('keys', proofKeysCodec), param('block', blockIdCodec)],
  result: ref('Proof'),
  needs: ['proofs'],
  isLong: true,
  errors: [BAD_PROOF_KEYS],
  handle: async (deps, [address, slots, block], { signal }) => {
    const version = provableHeight(deps, block);
    const hexValues: string[] = [];
    const storageProof: unknown[] = [];
    const share = deps.turns.share(TURN_MS);
    for (const slot of slots) {
      if (share.isOver) {
        await share.next();
        signal.throwIfAborted();
      }
      const proven = deps.stateCommit.queryWithProof(EVM_STORE, storageKey(address, slot), version);
      hexValues.push(toHexData(proven.value ?? new Uint8Array(0)));
      storageProof.push(formatProof(proven));
    }
    return { address: toHexData(address), hexValues, storageProof };
  },
});
