import { serverError } from '../rpcError.ts';
import { ref } from '../schema/jsonSchema.ts';
import type { Codec } from './codec.ts';

const SLOT_BYTES = 32;

/** A storage slot: hex with or without `0x`, padded on the left to 32 bytes (json-rpc.md §2.6). */
export const storageKeyCodec: Codec<Uint8Array> = {
  schema: ref('StorageSlot'),
  decode: (value) => {
    const digits = typeof value === 'string' ? value.replace(/^0x/i, '') : 'not hex';
    if (!/^[0-9a-f]*$/i.test(digits)) throw serverError('unable to decode storage key: hex string invalid');
    if (digits.length > SLOT_BYTES * 2) {
      throw serverError(
        `unable to decode storage key: hex string too long, want at most ${SLOT_BYTES} bytes`,
      );
    }
    return Buffer.from(digits.padStart(SLOT_BYTES * 2, '0'), 'hex');
  },
};
