import { throwIfResource } from '@chain/platform';
import { LegacyAminoPubKey } from 'cosmjs-types/cosmos/crypto/multisig/keys';
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys';
import type { Any } from 'cosmjs-types/google/protobuf/any';
import {
  chainAddressOf,
  hexToBytes,
  multisigAddressOf,
  uncompressPublicKey,
} from '../../primitives/index.ts';
import { ledgerError } from '../ledgerError.ts';
import { decodeMessage } from '../protoMessage.ts';
import { AUTH_PARAMS } from './authParams.ts';

/** The key of an account: one secp256k1 key (33 bytes), or several of which a number must sign. */
export type AccountKey =
  | { readonly kind: 'single'; readonly key: Uint8Array }
  | { readonly kind: 'multi'; readonly threshold: number; readonly keys: readonly Uint8Array[] };

const KEY_BYTES = 33;
const SECP256K1_URL = PubKey.typeUrl;
const MULTISIG_URL = LegacyAminoPubKey.typeUrl;

/** Stands for the key of an account that has not signed yet, in simulations (the SDK's `simSecp256k1Pubkey`). */
export const PLACEHOLDER_KEY: Any = {
  typeUrl: SECP256K1_URL,
  value: PubKey.encode({
    key: hexToBytes('035ad6810a47f073553ff30d2fcc7e0d3b1c0b74b61a1aaa2582344037151e143a'),
  }).finish(),
};

/** Throws LEDGER_REFUSED: invalid pubkey, or tx parse error for bytes that are no key at all. */
export function decodeKey({ typeUrl, value }: Any): AccountKey {
  if (typeUrl === SECP256K1_URL) return { kind: 'single', key: singleKey(value) };
  if (typeUrl !== MULTISIG_URL) {
    throw ledgerError('publicKey', `unsupported key ${typeUrl.slice(0, 80)}; use ${SECP256K1_URL}`);
  }
  const { threshold, publicKeys } = decodeMessage(LegacyAminoPubKey, value, 'key of several');
  if (publicKeys.length > AUTH_PARAMS.maxSignatures) {
    const counts = `${publicKeys.length} keys, limit: ${AUTH_PARAMS.maxSignatures}`;
    throw ledgerError('tooManySignatures', counts);
  }
  const keys = publicKeys.map((member) => {
    if (member.typeUrl !== SECP256K1_URL) {
      throw ledgerError('publicKey', `unsupported member key ${member.typeUrl.slice(0, 80)}`);
    }
    return singleKey(member.value);
  });
  if (threshold < 1 || threshold > keys.length) {
    throw ledgerError('publicKey', `threshold ${threshold} of ${keys.length} keys`);
  }
  return { kind: 'multi', threshold, keys };
}

function singleKey(value: Uint8Array): Uint8Array {
  const { key } = decodeMessage(PubKey, value, 'public key');
  if (key.length !== KEY_BYTES) throw ledgerError('publicKey', `a key of ${key.length} bytes`);
  try {
    uncompressPublicKey(key);
  } catch (cause) {
    throwIfResource(cause);
    throw ledgerError('publicKey', 'not a compressed secp256k1 key', cause);
  }
  return key;
}

/** The chain address of a key, 20 bytes; of several keys by amino, as the SDK has it. */
export function addressOfKey(key: AccountKey): Uint8Array {
  if (key.kind === 'single') return chainAddressOf(key.key);
  return multisigAddressOf(key.threshold, key.keys);
}
