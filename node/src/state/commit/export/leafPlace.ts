/**
 * A leaf where its bytes lie. One object serves a whole walk, for views and objects of each leaf would cost more than
 * the leaf: it is only valid during the call that hands it over.
 */
export interface LeafPlace {
  keyBytes: Uint8Array;
  keyAt: number;
  keyLength: number;
  valueBytes: Uint8Array;
  valueAt: number;
  valueLength: number;
  version: number;
}

export function leafOf(key: Uint8Array, value: Uint8Array, version: number): LeafPlace {
  return {
    keyBytes: key,
    keyAt: 0,
    keyLength: key.length,
    valueBytes: value,
    valueAt: 0,
    valueLength: value.length,
    version,
  };
}

export function leafKeyOf({ keyBytes, keyAt, keyLength }: LeafPlace): Uint8Array {
  return keyBytes.subarray(keyAt, keyAt + keyLength);
}

export function leafValueOf({ valueBytes, valueAt, valueLength }: LeafPlace): Uint8Array {
  return valueBytes.subarray(valueAt, valueAt + valueLength);
}
