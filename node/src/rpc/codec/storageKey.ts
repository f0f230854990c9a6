import { InvalidParam, RPC_CODE, RpcError, serverError } from '../rpcError.ts';
import { arrayOf, mapOf, ref } from '../schema/jsonSchema.ts';
import { type Codec, jsonKind } from './codec.ts';
import { addressCodec } from './hexCodecs.ts';

const SLOT_BYTES = 32;
/** Slots that one proof may name (spec R-17). */
const MAX_PROOF_KEYS = 1024;

/** A storage slot: hex with or without `0x`, padded on the left to 32 bytes (spec R-10). */
export const storageKeyCodec: Codec<Uint8Array> = {
  schema: ref('StorageSlot'),
  decode: (value) => decodeSlot(value, 'unable to decode storage key'),
};

/** Slots whose values are to be proven. */
export const proofKeysCodec: Codec<readonly Uint8Array[]> = {
  schema: { ...arrayOf(ref('StorageSlot')), maxItems: MAX_PROOF_KEYS },
  decode: (value) => {
    if (!Array.isArray(value)) {
      throw new InvalidParam(`json: cannot unmarshal ${jsonKind(value)} into Go value of type []string`);
    }
    if (value.length > MAX_PROOF_KEYS) {
      throw serverError(`too many storage keys: got ${value.length}, max ${MAX_PROOF_KEYS}`);
    }
    return value.map((key) => {
      if (typeof key === 'string') return decodeSlot(key, `invalid storage key ${JSON.stringify(key)}`);
      throw new InvalidParam(`json: cannot unmarshal ${jsonKind(key)} into Go value of type string`);
    });
  },
};

/** Slots of one contract; `name` is its address as it was written. */
export interface StorageRequest {
  readonly name: string;
  readonly address: Uint8Array;
  readonly slots: readonly Uint8Array[];
}

/** A map from addresses to slots; of all of them no more than one proof may name. */
export const storageRequestsCodec: Codec<readonly StorageRequest[]> = {
  schema: mapOf('^0[xX][0-9a-fA-F]{40}$', arrayOf(ref('StorageSlot'))),
  decode: (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new InvalidParam(
        `json: cannot unmarshal ${jsonKind(value)} into Go value of type map[common.Address][]string`,
      );
    }
    if (Object.keys(value).length === 0) throw unreadable('empty request');
    const requests = Object.entries(value).map(([name, keys]) => ({
      name,
      address: addressCodec.decode(name),
      slots: proofKeysCodec.decode(keys),
    }));
    const slots = requests.reduce((sum, request) => sum + request.slots.length, 0);
    if (slots > MAX_PROOF_KEYS) {
      throw serverError(`too many storage keys: got ${slots}, max ${MAX_PROOF_KEYS}`);
    }
    return requests;
  },
};

function decodeSlot(value: unknown, complaint: string): Uint8Array {
  if (typeof value !== 'string') {
    throw new InvalidParam(`json: cannot unmarshal ${jsonKind(value)} into Go value of type string`);
  }
  const digits = value.replace(/^0x/i, '');
  if (!/^[0-9a-f]*$/i.test(digits)) throw unreadable(`${complaint}: hex string invalid`);
  if (digits.length > SLOT_BYTES * 2) {
    throw unreadable(`${complaint}: hex string too long, want at most ${SLOT_BYTES} bytes`);
  }
  return Buffer.from(digits.padStart(SLOT_BYTES * 2, '0'), 'hex');
}

/** −32602 in words that name no argument, as geth has them. */
function unreadable(message: string): RpcError {
  return new RpcError(RPC_CODE.invalidParams, message);
}
