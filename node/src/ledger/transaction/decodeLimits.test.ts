import { LegacyAminoPubKey } from 'cosmjs-types/cosmos/crypto/multisig/keys';
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys';
import { Any } from 'cosmjs-types/google/protobuf/any';
import { describe, expect, it } from 'vitest';
import { concatAll, concatBytes, writeUvarint } from '../../primitives/index.ts';
import { DECODE_LIMITS } from './decodeLimits.ts';
import { requireKnownFields } from './knownFields.ts';
import { AUTH_INFO, type MessageShape, MULTI_SIGNATURE, TX_BODY, TX_RAW } from './messageShapes.ts';
import { decodeKey } from './publicKey.ts';

const NO_BYTES = new Uint8Array(0);
const REFUSED = { code: 'LEDGER_REFUSED', fields: { abciCode: 2, codespace: 'sdk' } };

function field(number: number, value: Uint8Array): Uint8Array {
  return concatBytes(writeUvarint(number * 8 + 2), writeUvarint(value.length), value);
}

/** `depth` modes of several signatures, each in the one before. */
function modes(depth: number): Uint8Array {
  let bytes: Uint8Array = NO_BYTES;
  for (let level = 0; level < depth; level++) bytes = field(2, field(2, bytes));
  return bytes;
}

/** The `AuthInfo` of one signer. */
const signerOf = (publicKey: Uint8Array, mode: Uint8Array): Uint8Array =>
  field(1, concatBytes(field(1, publicKey), field(2, mode)));

function keys(depth: number): Uint8Array {
  let key: Any = { typeUrl: PubKey.typeUrl, value: NO_BYTES };
  for (let level = 0; level < depth; level++) {
    const value = LegacyAminoPubKey.encode({ threshold: 1, publicKeys: [key] }).finish();
    key = { typeUrl: LegacyAminoPubKey.typeUrl, value };
  }
  return Any.encode(key).finish();
}

const SINGLE = field(1, NO_BYTES);
const groups = (number: number, depth: number): Uint8Array =>
  concatAll(Array.from({ length: depth }, () => writeUvarint(number * 8 + 3)));

describe('what a transaction holds', () => {
  it.each<readonly [string, Uint8Array, MessageShape]>([
    [
      'a mode beside another that lies 2,400 deep',
      signerOf(NO_BYTES, concatBytes(SINGLE, modes(2_400))),
      AUTH_INFO,
    ],
    ['a mode of several 2,400 deep', signerOf(NO_BYTES, modes(2_400)), AUTH_INFO],
    ['a mode before another', signerOf(NO_BYTES, concatBytes(modes(1), SINGLE)), AUTH_INFO],
    ['a mode twice', signerOf(NO_BYTES, concatBytes(SINGLE, SINGLE)), AUTH_INFO],
    ['a key within 600 keys', signerOf(keys(600), SINGLE), AUTH_INFO],
    ['groups in a TxRaw', groups(1, 100_000), TX_RAW],
    ['groups in a TxRaw that nobody knows', groups(9, 100_000), TX_RAW],
    ['groups in a body that may be passed over', groups(1_031, 100_000), TX_BODY],
    ['groups among signatures', groups(2, 100_000), MULTI_SIGNATURE],
    ['more fields than the chain reads', field(1_031, NO_BYTES), TX_BODY],
  ])('is refused before anything decodes it: %s', (what, bytes, shape) => {
    const isMany = what.startsWith('more');
    const all = isMany ? concatAll(new Array<Uint8Array>(DECODE_LIMITS.fields + 1).fill(bytes)) : bytes;
    const read = () => requireKnownFields(all, shape, 'nonCriticalAllowed');
    expect(read).toThrow(expect.objectContaining(REFUSED));
  });

  it('may lie as deep as any key and mode that the chain runs', () => {
    const authInfo = signerOf(keys(1), field(2, field(2, SINGLE)));
    expect(requireKnownFields(authInfo, AUTH_INFO, 'refused')).toBe(false);
  });

  it('has few keys: they are decoded before anything is paid', () => {
    const publicKeys = new Array<Any>(8).fill({ typeUrl: PubKey.typeUrl, value: NO_BYTES });
    const value = LegacyAminoPubKey.encode({ threshold: 1, publicKeys }).finish();
    expect(() => decodeKey({ typeUrl: LegacyAminoPubKey.typeUrl, value })).toThrow(
      '8 keys, limit: 7: maximum number of signatures exceeded',
    );
  });
});
