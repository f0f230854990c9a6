import { SimpleValidator } from 'cosmjs-types/tendermint/types/validator';
import { compareBytes, merkleRoot, sha256 } from '../primitives/index.ts';

/** A member of the validator set: an ed25519 key and its share of the votes. */
export interface Validator {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly power: bigint;
}

/** The consensus address: the first 20 bytes of the SHA-256 of the ed25519 public key. */
export function consensusAddress(publicKey: Uint8Array): Uint8Array {
  return sha256(publicKey).subarray(0, 20);
}

/** CometBFT's order: most power first, then by address. A commit's signatures are in this order. */
export function sortValidators<V extends Validator>(validators: readonly V[]): V[] {
  return [...validators].sort((a, b) =>
    a.power === b.power
      ? compareBytes(consensusAddress(a.publicKey), consensusAddress(b.publicKey))
      : a.power > b.power
        ? -1
        : 1,
  );
}

/** A header's `validatorsHash`, whatever the order of the argument. */
export function validatorSetHash(validators: readonly Validator[]): Uint8Array {
  return merkleRoot(
    sortValidators(validators).map(({ publicKey, power }) =>
      SimpleValidator.encode({ pubKey: { ed25519: publicKey }, votingPower: power }).finish(),
    ),
  );
}
