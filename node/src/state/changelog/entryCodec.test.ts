import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChangelogEntry, decodeEntry, encodeEntry } from './index.ts';

const text = (value: string): Uint8Array => Uint8Array.from(Buffer.from(value));
const hex = (value: string): Uint8Array => Uint8Array.from(Buffer.from(value, 'hex'));

describe('the payload encoding', () => {
  const evmKey = hex(`0a${'aa'.repeat(20)}`);
  // spec S-8: the payloads of the golden segment, without their length prefixes.
  const golden: [string, ChangelogEntry['changes']][] = [
    [
      '080112180a100a0e120568656c6c6f1a05776f726c64120462616e6b',
      { version: 1, stores: [{ store: 'bank', changes: [{ key: text('hello'), value: text('world') }] }] },
    ],
    [
      '0802122b0a230a0f120568656c6c6f1a06776f726c64310a10120668656c6c6f311a06776f726c6431120462616e6b122a0a230a2112150aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1a080000000000000007120365766d',
      {
        version: 2,
        stores: [
          {
            store: 'bank',
            changes: [
              { key: text('hello'), value: text('world1') },
              { key: text('hello1'), value: text('world1') },
            ],
          },
          { store: 'evm', changes: [{ key: evmKey, value: hex('0000000000000007') }] },
        ],
      },
    ],
    ['0803', { version: 3, stores: [] }],
    [
      '0804121d0a150a08120668656c6c6f320a090801120568656c6c6f120462616e6b',
      {
        version: 4,
        stores: [
          {
            store: 'bank',
            changes: [
              { key: text('hello2'), value: text('') },
              { key: text('hello'), value: null },
            ],
          },
        ],
      },
    ],
  ];

  it.each(golden)('matches the golden entry %s', (bytes, changes) => {
    const record = new Uint8Array(0);
    expect(Buffer.from(encodeEntry({ changes, record })).toString('hex')).toBe(bytes);
    expect(decodeEntry(hex(bytes))).toEqual({ changes, record });
  });

  it('passes over the store upgrades that the reference writes into its first entry', () => {
    expect(decodeEntry(hex(`${golden[0]![0]}1a050a0365766d1a060a0462616e6b`)).changes).toEqual(golden[0]![1]);
  });

  it('carries the block record in field 100', () => {
    const bytes = encodeEntry({ changes: { version: 3, stores: [] }, record: hex('beef') });
    expect(Buffer.from(bytes).toString('hex')).toBe('0803a20602beef');
  });

  it('gives back every entry, empty values and deletes told apart', () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    const change = fc.record({ key: bytes, value: fc.option(bytes) });
    const store = fc.record({ store: fc.string({ maxLength: 12 }), changes: fc.array(change) });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 32 - 1 }),
        fc.array(store),
        bytes,
        (version, stores, record) => {
          expect(decodeEntry(encodeEntry({ changes: { version, stores }, record }))).toEqual({
            changes: { version, stores },
            record,
          });
        },
      ),
    );
  });

  it('refuses what is cut or not protobuf', () => {
    for (const bad of ['', '08', '0801120f', '0801ff', '08ffffffffffffffffff01']) {
      expect(() => decodeEntry(hex(bad))).toThrowError(/changelog entry/);
    }
  });
});
