import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GENERAL_WRAPPERS } from '@chain/platform/wasmWrappers';
import { iavlSpec, ics23, tendermintSpec, verifyMembership, verifyNonMembership } from '@confio/ics23';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDevNode } from '../support/devNode.ts';
import { type ConformanceChain, startConformanceChain } from './conformanceChain.ts';

interface Proof {
  readonly address: string;
  readonly hexValues: readonly string[];
  readonly storageProof: readonly {
    readonly ops: readonly { readonly type: string; readonly key: string; readonly data: string }[];
  }[];
}

const word = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`;
const ofHex = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.slice(2), 'hex'));
const ofBase64 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64'));

let chain: ConformanceChain;
let call: ConformanceChain['call'];
beforeAll(async () => {
  chain = await startConformanceChain(['state-commit.sc-provable-versions=6']);
  ({ call } = chain);
});
afterAll(() => chain?.close());

const plus = (number: string, blocks: number): string => `0x${(Number(number) + blocks).toString(16)}`;
const getProof = (keys: readonly string[], block: unknown): Promise<Proof> =>
  call<Proof>('eth_getProof', chain.counter, keys, block);
const failure = (promise: Promise<unknown>): Promise<{ code: number; message: string }> =>
  promise.then(
    () => expect.unreachable(),
    (error: { code: number; message: string }) => error,
  );

/** What the header after the block says of the state that the block left. */
async function appHashAfter(number: string): Promise<Uint8Array> {
  return ofHex((await call<{ stateRoot: string }>('eth_getBlockByNumber', plus(number, 1), false)).stateRoot);
}

/** Whether one element proves a word of the counter; `undefined` proves its absence. */
function holds(
  { ops }: Proof['storageProof'][number],
  slot: string,
  value: string,
  appHash: Uint8Array,
): boolean {
  const [iavl, simple] = ops;
  const key = ofHex(`0x03${chain.counter.slice(2)}${slot.slice(2)}`);
  expect([iavl!.type, simple!.type]).toEqual(['ics23:iavl', 'ics23:simple']);
  expect([ofBase64(iavl!.key), ofBase64(simple!.key)]).toEqual([key, ofHex('0x65766d')]);
  const inStore = ics23.CommitmentProof.decode(ofBase64(iavl!.data));
  const inAppHash = ics23.CommitmentProof.decode(ofBase64(simple!.data));
  const root = inAppHash.exist!.value!;
  return (
    verifyMembership(inAppHash, tendermintSpec, appHash, ofHex('0x65766d'), root) &&
    (value === '0x'
      ? verifyNonMembership(inStore, iavlSpec, root, key)
      : verifyMembership(inStore, iavlSpec, root, key, ofHex(value)))
  );
}

describe('eth_getProof', () => {
  it('proves the state of block N against header N+1, words that are there and words that are not', async () => {
    const { number } = chain.block;
    const proof = await getProof([word(0), word(1)], number);
    expect(proof.address).toBe(chain.counter);
    expect(proof.hexValues).toEqual([word(3), '0x']);
    const appHash = await appHashAfter(number);
    for (const [i, slot] of [word(0), word(1)].entries()) {
      expect(holds(proof.storageProof[i]!, slot, proof.hexValues[i]!, appHash)).toBe(true);
      expect(holds(proof.storageProof[i]!, slot, word(4), appHash)).toBe(false);
    }
    const before = await appHashAfter(plus(number, -1));
    expect(holds(proof.storageProof[0]!, word(0), word(3), before)).toBe(false);
    const earlier = await getProof([word(0)], plus(number, -1));
    expect(earlier.hexValues).toEqual([word(2)]);
    expect(holds(earlier.storageProof[0]!, word(0), word(2), before)).toBe(true);
  });

  it('takes every BLOCK_ID and every form of a key', async () => {
    const { number, hash } = chain.block;
    const expected = await getProof([word(0)], number);
    for (const form of [hash, { blockNumber: number }, { blockHash: hash }]) {
      for (const key of ['0x0', '0', '', word(0)]) expect(await getProof([key], form)).toEqual(expected);
    }
    const latest = await getProof([word(0)], 'latest');
    expect(latest).toEqual(await getProof([word(0)], await call('eth_blockNumber')));
    for (const tag of ['safe', 'finalized', 'pending'])
      expect(await getProof([word(0)], tag)).toEqual(latest);
  });

  it('gives empty arrays without keys', async () => {
    const { address, hexValues, storageProof } = await getProof([], 'latest');
    expect([address, hexValues, storageProof]).toEqual([chain.counter, [], []]);
  });

  it('proves only versions that are held, and names the first', async () => {
    const newest = await call<string>('eth_blockNumber');
    const earliest = plus(newest, -5);
    expect(await getProof([word(0)], 'earliest')).toEqual(await getProof([word(0)], earliest));
    const below = Number(earliest) - 1;
    expect(await failure(getProof([word(0)], plus(earliest, -1)))).toMatchObject({
      code: -32000,
      message: `requested height ${below} has been pruned; earliest available is ${below + 1} (missing: proofs)`,
    });
    expect(await failure(getProof([], plus(newest, 1)))).toMatchObject({ code: -32000 });
    expect((await failure(getProof([], word(77)))).message).toContain('could not find block for hash');
  });

  it('refuses keys that are none, and too many', async () => {
    const refused: [readonly unknown[], number, string][] = [
      [['0xzz'], -32602, 'invalid storage key "0xzz": hex string invalid'],
      [[`0x${'1'.repeat(65)}`], -32602, 'hex string too long, want at most 32 bytes'],
      [new Array(1025).fill('0x0'), -32000, 'too many storage keys: got 1025, max 1024'],
    ];
    for (const [keys, code, message] of refused) {
      const error = await failure(getProof(keys as string[], 'latest'));
      expect([error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
    }
    expect((await failure(call('eth_getProof', chain.counter, 'ff', 'latest'))).code).toBe(-32602);
    const most = Array.from({ length: 1024 }, (_, i) => word(i));
    expect((await getProof(most, 'latest')).storageProof).toHaveLength(1024);
  });
});

it('the example of the guide proves words of a running node', { timeout: 120_000 }, async () => {
  const root = mkdtempSync(join(tmpdir(), 'proof-example-'));
  const node = await startDevNode({ home: join(root, 'home'), blockTimeMs: 100 });
  try {
    const run = (...args: readonly string[]) =>
      promisify(execFile)(process.execPath, [GENERAL_WRAPPERS, 'examples/proof.ts', node.url, ...args]);
    expect((await run()).stdout).toMatch(/^block 0x\w+, app hash 0x\w{64}\n0x0 = 0x\w* proven\n$/);
    const absent = await run(`0x${'77'.repeat(20)}`, '0x0', '0x5');
    expect(absent.stdout).toMatch(/0x0 = 0x proven\n0x5 = 0x proven\n$/);
  } finally {
    await node.kill9();
    rmSync(root, { recursive: true, force: true });
  }
});
