import { InvalidParam, serverError } from '../rpcError.ts';
import { arrayOf, ref } from '../schema/jsonSchema.ts';
import { type Codec, jsonKind } from './codec.ts';

const SLOT_BYTES = 32;
/** Slots that one proof may name (json-rpc.md §2.9). */
const PROOF_KEYS_MAX = 1024;

/** A storage slot: hex with or without `0x`, padded on the left to 32 bytes (json-rpc.md §2.6). */
export const storageKeyCodec: Codec<Uint8Array> = {
  schema: ref('StorageSlot'),
  decode: (value) => decodeSlot(value, 'unable to decode storage key'),
};

/** Slots whose values are to be proven. */
export const proofKeysCodec: Codec<readonly Uint8Array[]> = {
  schema: { ...arrayOf(ref('StorageSlot')), maxItems: PROOF_KEYS_MAX },
  decode: (value) => {
    if (!Array.isArray(value)) {
      throw new InvalidParam(`json: cannot unmarshal ${jsonKind(value)} into Go value of type []string`);
    }
    if (value.length > PROOF_KEYS_MAX) {
      throw serverError(`too many storage keys: got ${value.length}, max ${PROOF_KEYS_MAX}`);
    }
    return value.map((key) => {
      if (typeof key === 'string') return decodeSlot(key, `invalid storage key ${JSON.stringify(key)}`);
      throw new InvalidParam(`json: cannot unmarshal ${jsonKind(key)} into Go value of type string`);
    });
  },
};

function decodeSlot(value: unknown, complaint: string): Uint8Array {
  const digits = typeof value === 'string' ? value.replace(/^0x/i, '') : 'not hex';
  if (!/^[0-9a-f]*$/i.test(digits)) throw serverError(`${complaint}: hex string invalid`);
  if (digits.length > SLOT_BYTES * 2) {
    throw serverError(`${complaint}: hex string too long, want at most ${SLOT_BYTES} bytes`);
  }
  return Buffer.from(digits.padStart(SLOT_BYTES * 2, '0'), 'hex');
}
