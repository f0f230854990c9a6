import { createPrivateKey, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes, sha256, utf8 } from '../primitives/index.ts';
import type { BlockHeader, TransactionResult } from '../types/index.ts';
import { blockSize, decodeBlock, encodeBlock, sealBlock } from './blockCodec.ts';
import {
  blockTimeFromMillis,
  blockTimeToMillis,
  compareBlockTimes,
  formatBlockTime,
  parseBlockTime,
} from './blockTime.ts';
import { consensusParamsHash, dataHash, EMPTY_HASH, resultsHash } from './bodyHashes.ts';
import {
  ABSENT_SIGNATURE,
  type Commit,
  commitHash,
  decodeCommit,
  EMPTY_COMMIT,
  encodeCommit,
  NO_BLOCK_ID,
} from './commit.ts';
import { headerHash } from './headerHash.ts';
import { consensusAddress, validatorSetHash } from './validatorSet.ts';
import { precommitSignBytes } from './voteSignBytes.ts';

// Vectors were printed by CometBFT v0.38.17's own types for the same values.
const NONE = new Uint8Array(0);
const SEED = hexToBytes('b0d51c58c8b9c1f458fadf16c7d375630ef51da4df81915893b05c0fa4ed8bc6');
const PUBLIC_KEY = hexToBytes('684199b32633a579645b0cfbfa80cfb61e3f8b02fea28bd59d3ab3d9579605d8');
const OTHER_KEY = hexToBytes('e2096875c268a0993f20fa4b66e15ff651e9e55cd2c08dfbb24e1f4079c145ba');
const TIME = parseBlockTime('2024-03-01T12:30:15.123456789Z');
const BLOCK_ID = { hash: fill(32, 0xaa), partsTotal: 3, partsHash: fill(32, 0xbb) };
const TXS = ['one', 'two', 'three'].map(utf8);
const RESULTS = [
  result({ data: utf8('hello'), gasWanted: 100_000n, gasUsed: 21_000n, log: 'ignored' }),
  result({ code: 45, codespace: 'evm', gasWanted: -1n, gasUsed: 5n }),
  result({}),
];
const SIGNATURE = hexToBytes(
  'c8ffb725eedc0d95df9676ebdc5916c9e63b71329f547d150c85d331fd922800e6675b8a921060ed22a94a1d0b86e251e92510ea5031cbf857d47484ff01a002',
);
const COMMIT: Commit = {
  height: 12_345,
  round: 2,
  blockId: BLOCK_ID,
  signatures: [
    { flag: 2, validatorAddress: consensusAddress(PUBLIC_KEY), time: TIME, signature: SIGNATURE },
    ABSENT_SIGNATURE,
  ],
};
const VALIDATORS_HASH = validatorSetHash([{ publicKey: PUBLIC_KEY, power: 10n }]);
const HEADER: BlockHeader = {
  blockProtocol: 11n,
  appProtocol: 1n,
  chainId: 'chain-local-1',
  height: 12_346,
  time: { ...TIME, seconds: TIME.seconds + 1n },
  lastBlockId: BLOCK_ID,
  lastCommitHash: commitHash(COMMIT),
  dataHash: dataHash(TXS),
  validatorsHash: VALIDATORS_HASH,
  nextValidatorsHash: VALIDATORS_HASH,
  consensusHash: consensusParamsHash({ maxBytes: 22_020_096n, maxGas: 0n }),
  appHash: fill(32, 0x11),
  lastResultsHash: resultsHash(RESULTS),
  evidenceHash: EMPTY_HASH,
  proposerAddress: consensusAddress(PUBLIC_KEY),
};
const BLOCK_HEX =
  '0a95030a04080b1001120d636861696e2d6c6f63616c2d3118ba60220b08d89487af0610959aef3a2a480a20aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa122408031220bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb3220caf583698844bd94869306a7777268e2dffd79b898e82ff1dcd1fc6fc1cf0abb3a2020f4ee52d1e1a101805861876569a852e8f5dfeed221da87aea446788a12f4c84220a2f0d7d1615e918878c773c6d3aeb766dfad4559863dce608b92c75d6cf396cf4a20a2f0d7d1615e918878c773c6d3aeb766dfad4559863dce608b92c75d6cf396cf5220c71a56d05ac1e2d0a0d213753aeb9e5a3bb0d26124536188a753823edbd344fa5a201111111111111111111111111111111111111111111111111111111111111111622027712712f22206819ae8998a138aa0b0afc5c811fc2fb2d22dae9118b11b428e6a20e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b85572148a5875c75081aefb603a23178350ae4542803c2412110a036f6e650a0374776f0a0574687265651a0022c90108b96010021a480a20aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa122408031220bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb2267080212148a5875c75081aefb603a23178350ae4542803c241a0b08d79487af0610959aef3a2240c8ffb725eedc0d95df9676ebdc5916c9e63b71329f547d150c85d331fd922800e6675b8a921060ed22a94a1d0b86e251e92510ea5031cbf857d47484ff01a002220f08011a0b088092b8c398feffffff01';

function fill(length: number, value: number): Uint8Array {
  return new Uint8Array(length).fill(value);
}

function result(fields: Partial<TransactionResult>): TransactionResult {
  return { code: 0, codespace: '', data: NONE, log: '', gasWanted: 0n, gasUsed: 0n, events: [], ...fields };
}

describe('hashes', () => {
  it('gives the consensus address of a key', () => {
    expect(bytesToHex(consensusAddress(PUBLIC_KEY))).toBe('8a5875c75081aefb603a23178350ae4542803c24');
  });

  it('hashes validator sets, in CometBFT order whatever the order given', () => {
    expect(bytesToHex(VALIDATORS_HASH)).toBe(
      'a2f0d7d1615e918878c773c6d3aeb766dfad4559863dce608b92c75d6cf396cf',
    );
    const two = [
      { publicKey: PUBLIC_KEY, power: 10n },
      { publicKey: OTHER_KEY, power: 200n },
    ];
    const expected = '903ffb0e9bca934b07ef57b6af665f6a2131a94227fdbce10ca122722172109d';
    expect(bytesToHex(validatorSetHash(two))).toBe(expected);
    expect(bytesToHex(validatorSetHash(two.reverse()))).toBe(expected);
  });

  it('hashes consensus parameters, an unlimited and a zero gas limit too', () => {
    const hash = (maxGas: bigint) => bytesToHex(consensusParamsHash({ maxBytes: 22_020_096n, maxGas }));
    expect(hash(-1n)).toBe('048091bc7ddc283f77bfbf91d73c44da58c3df8a9cbc867405d8b7f3daada22f');
    expect(hash(35_000_000n)).toBe('4a0e0dcc56047acb79257f7b6cf4df0bb6b8531678470fbe98884ff2cc27931d');
    expect(hash(0n)).toBe('c71a56d05ac1e2d0a0d213753aeb9e5a3bb0d26124536188a753823edbd344fa');
  });

  it('hashes transactions and results, and no items to the hash of nothing', () => {
    expect(bytesToHex(dataHash(TXS))).toBe(
      '20f4ee52d1e1a101805861876569a852e8f5dfeed221da87aea446788a12f4c8',
    );
    expect(bytesToHex(resultsHash(RESULTS))).toBe(
      '27712712f22206819ae8998a138aa0b0afc5c811fc2fb2d22dae9118b11b428e',
    );
    for (const empty of [dataHash([]), resultsHash([]), EMPTY_HASH, commitHash(EMPTY_COMMIT)]) {
      expect(bytesToHex(empty)).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    }
  });

  it('hashes the header of the CometBFT test suite', () => {
    // types/block_test.go, TestHeaderHash.
    const sum = (text: string) => sha256(utf8(text));
    const header: BlockHeader = {
      blockProtocol: 1n,
      appProtocol: 2n,
      chainId: 'chainId',
      height: 3,
      time: { seconds: BigInt(Date.UTC(2019, 9, 13, 16, 14, 44) / 1000), nanos: 0 },
      lastBlockId: { hash: fill(32, 0), partsTotal: 6, partsHash: fill(32, 0) },
      lastCommitHash: sum('last_commit_hash'),
      dataHash: sum('data_hash'),
      validatorsHash: sum('validators_hash'),
      nextValidatorsHash: sum('next_validators_hash'),
      consensusHash: sum('consensus_hash'),
      appHash: sum('app_hash'),
      lastResultsHash: sum('last_results_hash'),
      evidenceHash: sum('evidence_hash'),
      proposerAddress: sum('proposer_address').subarray(0, 20),
    };
    expect(bytesToHex(headerHash(header)).toUpperCase()).toBe(
      'F740121F553B5418C3EFBD343C2DBFE9E007BB67B0D020A0741374BAB65242A4',
    );
  });
});

describe('votes and commits', () => {
  it('gives the bytes to sign, with and without a block', () => {
    const vote = { height: 12_345, round: 2, blockId: BLOCK_ID, time: TIME };
    const bytes = precommitSignBytes('chain-local-1', vote);
    expect(bytesToHex(bytes)).toBe(
      '7a080211393000000000000019020000000000000022480a20aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa122408031220bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb2a0b08d79487af0610959aef3a320d636861696e2d6c6f63616c2d31',
    );
    const nil = precommitSignBytes('chain-local-1', { height: 1, round: 0, blockId: null, time: TIME });
    expect(bytesToHex(nil)).toBe(
      '2708021101000000000000002a0b08d79487af0610959aef3a320d636861696e2d6c6f63616c2d31',
    );
    const pkcs8 = Buffer.concat([hexToBytes('302e020100300506032b657004220420'), SEED]);
    const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
    expect(bytesToHex(sign(null, bytes, key))).toBe(bytesToHex(SIGNATURE));
  });

  it('encodes and hashes a commit with an absent signature', () => {
    const bytes = encodeCommit(COMMIT);
    expect(bytesToHex(bytes)).toBe(
      '08b96010021a480a20aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa122408031220bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb2267080212148a5875c75081aefb603a23178350ae4542803c241a0b08d79487af0610959aef3a2240c8ffb725eedc0d95df9676ebdc5916c9e63b71329f547d150c85d331fd922800e6675b8a921060ed22a94a1d0b86e251e92510ea5031cbf857d47484ff01a002220f08011a0b088092b8c398feffffff01',
    );
    expect(bytesToHex(commitHash(COMMIT))).toBe(
      'caf583698844bd94869306a7777268e2dffd79b898e82ff1dcd1fc6fc1cf0abb',
    );
    expect(bytesToHex(encodeCommit(EMPTY_COMMIT))).toBe('1a021200');
    expect(encodeCommit(decodeCommit(bytes))).toEqual(bytes);
  });
});

describe('blocks', () => {
  it('encodes a block, gives its id and decodes it again', () => {
    const content = { header: HEADER, txs: TXS, lastCommit: encodeCommit(COMMIT) };
    const block = sealBlock(content);
    expect(bytesToHex(encodeBlock(content))).toBe(BLOCK_HEX);
    expect(bytesToHex(block.id.hash)).toBe(
      '998c1ff81a317988a5afd702301b51e4f8976eeeb9e96eafea9994e6c3777c0c',
    );
    expect(block.id.partsTotal).toBe(1);
    expect(bytesToHex(block.id.partsHash)).toBe(
      '08b871c7c254862c1d70a4b16776de129ce257d2231f1e2e09b04fe20727ff74',
    );
    expect(block.sizeBytes).toBe(BLOCK_HEX.length / 2);
    expect(blockSize(content)).toBe(block.sizeBytes);
    const decoded = decodeBlock(hexToBytes(BLOCK_HEX));
    expect(decoded.header.time).toEqual(HEADER.time);
    expect(bytesToHex(decoded.id.hash)).toBe(bytesToHex(block.id.hash));
    expect(bytesToHex(encodeBlock(decoded))).toBe(BLOCK_HEX);
  });

  it('splits a large first block into parts of 64 KiB', () => {
    const txs = [0, 1, 2, 3, 4].map((value) => fill(50_000, value));
    const header: BlockHeader = {
      ...HEADER,
      appProtocol: 0n,
      height: 1,
      time: TIME,
      lastBlockId: NO_BLOCK_ID,
      lastCommitHash: commitHash(EMPTY_COMMIT),
      dataHash: dataHash(txs),
      appHash: NONE,
      lastResultsHash: EMPTY_HASH,
    };
    const block = sealBlock({ header, txs, lastCommit: encodeCommit(EMPTY_COMMIT) });
    expect(bytesToHex(block.id.hash)).toBe(
      'b5c0c520c3c82e57ff9e065305f113d7db001427dc7ebb4cf536fc2f096eabb4',
    );
    expect(block.id.partsTotal).toBe(4);
    expect(bytesToHex(block.id.partsHash)).toBe(
      '76231ec4874b394592e0e26d15ad165e215c56b06cb3d489639458aed592d477',
    );
    expect(block.sizeBytes).toBe(250_333);
    expect(blockSize(block)).toBe(250_333);
  });

  it('refuses bytes that are no block', () => {
    expect(() => decodeBlock(hexToBytes('0aff01'))).toThrowError(/not valid protobuf/);
  });
});

describe('times', () => {
  it('prints and parses nanoseconds without loss', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 4_000_000_000n), fc.nat(999_999_999), (seconds, nanos) => {
        expect(parseBlockTime(formatBlockTime({ seconds, nanos }))).toEqual({ seconds, nanos });
      }),
    );
    expect(formatBlockTime({ seconds: 0n, nanos: 0 })).toBe('1970-01-01T00:00:00Z');
    expect(parseBlockTime('2024-03-01T13:30:15.5+01:00')).toEqual({ seconds: TIME.seconds, nanos: 5e8 });
    expect(() => parseBlockTime('yesterday')).toThrowError(/RFC 3339/);
  });

  it('goes to milliseconds and back, in order', () => {
    fc.assert(
      fc.property(fc.nat(4e12), fc.nat(4e12), (a, b) => {
        expect(blockTimeToMillis(blockTimeFromMillis(a))).toBe(a);
        expect(Math.sign(compareBlockTimes(blockTimeFromMillis(a), blockTimeFromMillis(b)))).toBe(
          Math.sign(a - b),
        );
      }),
    );
  });
});
