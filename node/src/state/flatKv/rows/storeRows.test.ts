import { describe, expect, it } from 'vitest';
import { storeRowsOf } from './storeRows.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
const row = (payload: string): Uint8Array => bytes(`\0${'\0'.repeat(7)}\x64${payload}`);
const text = (value: Uint8Array): string => Buffer.from(value).toString('latin1');
const ADDRESS = 'a'.repeat(20);
const BALANCE = '\0'.repeat(32);
const NONCE = '\0\0\0\0\0\0\0\x2a';

const rowsOf = (key: string, payload: string): string[][] =>
  storeRowsOf(bytes(key), row(payload)).map(({ store, key: own, value }) => [store, text(own), text(value)]);

describe('a physical row in the stores’ own keys (spec S-16)', () => {
  it.each([
    ['an account without code', `evm/\x0a${ADDRESS}`, `${BALANCE}${NONCE}`, [[`\x0a${ADDRESS}`, NONCE]]],
    [
      'an account with code',
      `evm/\x0a${ADDRESS}`,
      `${BALANCE}${NONCE}${'h'.repeat(32)}`,
      [
        [`\x0a${ADDRESS}`, NONCE],
        [`\x08${ADDRESS}`, 'h'.repeat(32)],
      ],
    ],
    ['an account of zeros', `evm/\x0a${ADDRESS}`, '\0'.repeat(72), []],
    [
      'storage',
      `evm/\x03${ADDRESS}${'s'.repeat(32)}`,
      'v'.repeat(32),
      [[`\x03${ADDRESS}${'s'.repeat(32)}`, 'v'.repeat(32)]],
    ],
    ['code', `evm/\x07${ADDRESS}`, 'code', [[`\x07${ADDRESS}`, 'code']]],
    ['an empty value', 'evm/\x09x', '', [['\x09x', '']]],
    ['a key with a slash', 'evm/\x01a/b', 'v', [['\x01a/b', 'v']]],
  ])('%s', (_name, key, payload, expected) => {
    expect(rowsOf(key, payload)).toEqual(expected.map(([own, value]) => ['evm', own, value]));
  });

  it('of another module stays as it is, whatever its key looks like', () => {
    expect(rowsOf(`staking/\x0a${ADDRESS}`, 'raw')).toEqual([['staking', `\x0a${ADDRESS}`, 'raw']]);
  });

  it.each(['noslash', '/key', 'evm/', ''])('with the key "%s" is refused', (key) => {
    expect(() => rowsOf(key, 'v')).toThrow(expect.objectContaining({ code: 'FLATKV_ROW_KEY' }));
  });

  it('of an unknown format, or an account of another length, is refused', () => {
    const refused = expect.objectContaining({ code: 'FLATKV_ROW_FORMAT' });
    expect(() => storeRowsOf(bytes('evm/\x09x'), bytes('\x01short'))).toThrow(refused);
    expect(() => rowsOf(`evm/\x0a${ADDRESS}`, 'x'.repeat(41))).toThrow(refused);
  });
});
