import { describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes, utf8 } from '../../../primitives/index.ts';
import { blockRows } from './blockRows.ts';
import { kindOf, moduleOf, physicalKeyOf, type RowKind } from './physicalKey.ts';
import { mergeAccount, rowHeight, rowPayload, singleRow } from './rowValue.ts';

const HEADER = '000000000000000064';
const ADDRESS = new Uint8Array(20).fill(0xaa);
const keyOf = (first: number, ...more: number[]): Uint8Array => Uint8Array.of(first, ...ADDRESS, ...more);
const nonce = (last: number): Uint8Array => Uint8Array.of(0, 0, 0, 0, 0, 0, 0, last);
const bytes = (hex: string): Uint8Array => hexToBytes(`0x${hex}`);
const hexOf = (row: Uint8Array | undefined): string | undefined => row && bytesToHex(row);

describe('rows', () => {
  it.each<[string, Uint8Array, RowKind, string]>([
    ['storage', keyOf(0x03, ...new Uint8Array(32)), 'storage', '03'],
    ['code', keyOf(0x07), 'code', '07'],
    ['a code hash, in the row of the nonce', keyOf(0x08), 'codeHash', '0a'],
    ['a nonce', keyOf(0x0a), 'nonce', '0a'],
    ['a code size', keyOf(0x09), 'misc', '09'],
    ['a storage key that is too short', keyOf(0x03, 1, 2), 'misc', '03'],
    ['a nonce key that is too long', keyOf(0x0a, 1), 'misc', '0a'],
  ])('keep %s under its physical key', (_, key, kind, first) => {
    expect(kindOf('evm', key)).toBe(kind);
    const expected = `${bytesToHex(utf8('evm/'))}${first}${bytesToHex(key.subarray(1))}`;
    expect(bytesToHex(physicalKeyOf('evm', key, kind))).toBe(expected);
  });

  it('keep other stores under their name, whatever their keys look like', () => {
    expect(kindOf('bank', keyOf(0x0a))).toBe('misc');
    const key = physicalKeyOf('bank', utf8('a/b'), 'misc');
    expect(key).toEqual(new Uint8Array(utf8('bank/a/b')));
    expect(moduleOf(key)).toBe('bank');
  });

  it('have the reference encodings', () => {
    const value = bytes(`${'00'.repeat(30)}dead`);
    expect(hexOf(singleRow('storage', value, 100))).toBe(`${HEADER}${bytesToHex(value)}`);
    expect(hexOf(singleRow('code', bytes('6080604052'), 100))).toBe(`${HEADER}6080604052`);
    expect(hexOf(singleRow('misc', bytes('cafebabe'), 100))).toBe(`${HEADER}cafebabe`);
    const withBalance = bytes(`${HEADER}${'00'.repeat(31)}01${'00'.repeat(8)}`);
    const compact = mergeAccount(withBalance, { nonce: nonce(42) }, 100);
    expect(hexOf(compact)).toBe(`${HEADER}${'00'.repeat(31)}01000000000000002a`);
    const full = mergeAccount(compact, { codeHash: ADDRESS_HASH }, 100);
    expect(hexOf(full)).toBe(`${hexOf(compact)}${'aa'.repeat(32)}`);
    expect(rowHeight(full!)).toBe(100n);
  });

  it('go when nothing is left in them', () => {
    expect(singleRow('storage', new Uint8Array(32), 1)).toBeUndefined();
    expect(singleRow('code', new Uint8Array(0), 1)).toBeUndefined();
    expect(singleRow('misc', null, 1)).toBeUndefined();
    expect(hexOf(singleRow('misc', new Uint8Array(0), 100))).toBe(HEADER);
    const account = mergeAccount(undefined, { nonce: nonce(1), codeHash: ADDRESS_HASH }, 1);
    const withoutHash = mergeAccount(account, { codeHash: new Uint8Array(32) }, 2);
    expect(withoutHash).toHaveLength(49);
    expect(mergeAccount(withoutHash, { nonce: nonce(0) }, 3)).toBeUndefined();
  });

  it('join both halves of an account of a block into one write', () => {
    const changes = [
      { key: keyOf(0x08), value: ADDRESS_HASH },
      { key: keyOf(0x0a), value: nonce(7) },
    ];
    const writes = blockRows({ version: 5, stores: [{ store: 'evm', changes }] }).account.get('evm')!;
    expect(writes).toHaveLength(1);
    expect(rowPayload(writes[0]!.next(undefined)!).subarray(39, 41)).toEqual(Uint8Array.of(7, 0xaa));
  });

  it.each<[string, Uint8Array, number]>([
    ['nonce', keyOf(0x0a), 7],
    ['codeHash', keyOf(0x08), 20],
    ['storage', keyOf(0x03, ...new Uint8Array(32)), 31],
  ])('refuse a %s of a wrong length', (kind, key, length) => {
    const changes = [{ key, value: new Uint8Array(length) }];
    expect(() => blockRows({ version: 1, stores: [{ store: 'evm', changes }] })).toThrow(
      expect.objectContaining({ code: 'FLATKV_VALUE_LENGTH', fields: expect.objectContaining({ kind }) }),
    );
  });

  it.each(['', 'a/b', '_meta'])('refuse a store named "%s"', (store) => {
    const refused = expect.objectContaining({ code: 'FLATKV_STORE_NAME' });
    expect(() => blockRows({ version: 1, stores: [{ store, changes: [] }] })).toThrow(refused);
  });

  it('refuse a row of another format', () => {
    expect(() => rowPayload(bytes('010000000000000001ff'))).toThrow(
      expect.objectContaining({ code: 'FLATKV_ROW_FORMAT' }),
    );
  });
});

const ADDRESS_HASH = new Uint8Array(32).fill(0xaa);
