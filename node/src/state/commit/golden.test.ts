import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appHashOf } from './appHash.ts';
import { encodeMultiTreeMetadata } from './snapshot/multiTreeMetadata.ts';
import { hexOf, StateCommitFixture, text } from './stateCommit.fixture.ts';

const fixture = new StateCommitFixture();
beforeEach(() => fixture.begin());
afterEach(() => fixture.end());

describe('golden app hashes (spec S-6)', () => {
  const roots = [
    'a44d3cc7daba1a4600b00a2434b30f8b970652169810d6dfa9fb1793a2189324',
    '8fd19b19e7bb3f2b3ee0574027d8a5a4cec370464ea2db2fbfa5c7d35bb0cff3',
    '1dd674ec6782a0d586a903c9c63326a41cbe56b3bba33ed6ff5b527af6efb3dc',
  ];
  it.each(roots)('%s', (root) => {
    const count = roots.indexOf(root) + 1;
    const stores = Array.from({ length: count }, (_, i) => [`key${i + 1}`, text(`value${i + 1}`)] as const);
    expect(hexOf(appHashOf(stores))).toBe(root);
    expect(hexOf(appHashOf(stores.toReversed()))).toBe(root);
  });

  it('is empty without stores', () => {
    expect(appHashOf([])).toEqual(new Uint8Array(0));
  });
});

describe('the golden example (spec S-4)', () => {
  const evmKey = Uint8Array.from([0x0a, ...new Array<number>(20).fill(0xaa)]);
  const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  const EVM = '577a64f186826f47086a257ee45a3c198cdf22f6774bcb13596c43fca51cd247';
  const BANK_2 = '457d81f933f53e5cfb90d813b84981aa2604d69939e10c94304d18287ded31f7';
  const BANK_4 = '980ddcd3fc6fbd79ae61e4a37f1d134f14cb15c2c9e994434f35b0c42156b04d';
  const blocks = [
    { version: 1, stores: [{ store: 'bank', changes: [{ key: text('hello'), value: text('world') }] }] },
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
        { store: 'evm', changes: [{ key: evmKey, value: Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 7]) }] },
      ],
    },
    { version: 3, stores: [] },
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
  ];
  const files: Record<string, string> = {
    __metadata: `0a5d0804122c0a0462616e6b122408041220${BANK_4}122b0a0365766d122408041220${EVM}`,
    'bank/metadata': '4941564c0000000004000000',
    'bank/kvs': '0600000068656c6c6f3106000000776f726c64310600000068656c6c6f3200000000',
    'bank/leaves':
      '02000000060000000000000000000000a3c3a79150a8fea3813b585825b04d88104869fa77bcf1167284c67ae8e82a02' +
      '040000000600000014000000000000002236bbb646f0a084d1e9f4ee5e846b89e0ab5ce729630d00a5e27e20f8237176',
    'bank/nodes': `01000000040000000200000001000000${BANK_4}`,
    'evm/metadata': '4941564c0000000004000000',
    'evm/kvs': '150000000aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa080000000000000000000007',
    'evm/leaves': `02000000150000000000000000000000${EVM}`,
    'evm/nodes': '',
  };

  it('gives the store hashes, the app hashes and every byte of the snapshot', async () => {
    const commit = await fixture.open();
    const roots: string[][] = [];
    for (const block of blocks) {
      await fixture.block(block);
      roots.push([...commit.storeHashes().values()].map(hexOf));
    }
    expect(roots).toEqual([
      ['6032661ab0d201132db7a8fa1da6a0afe427e6278bd122c301197680ab79ca02', EMPTY],
      [BANK_2, EVM],
      [BANK_2, EVM],
      [BANK_4, EVM],
    ]);
    expect(hexOf(commit.appHash)).toBe('bb61cb5e7a317161f90bfa343f95a5907a290228c7aaf8b9d5f9380821b4d1e8');
    expect(hexOf(appHashOf([...commit.storeHashes(), ['mem_capability', new Uint8Array(0)]]))).toBe(
      '4feb814f47b96ab9f176856ce7be28235bef3edd382df2d66483b223ba4e7d82',
    );
    await commit.snapshotNow();
    const snapshot = join(fixture.commitDirectory, 'current');
    const written = Object.keys(files).map((name) => [name, hexOf(readFileSync(join(snapshot, name)))]);
    expect(Object.fromEntries(written)).toEqual(files);
    expect(commit.get('bank', text('hello2'))).toEqual(new Uint8Array(0));
    expect(commit.get('bank', text('hello'))).toBeUndefined();
    expect(commit.get('evm', evmKey)).toEqual(Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 7]));
  });

  it('writes the metadata of a state without stores as the reference does', () => {
    expect(hexOf(encodeMultiTreeMetadata({ version: 0, initialVersion: 0, stores: [] }))).toBe('0a00');
  });
});
