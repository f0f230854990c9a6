import assert from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalnetOptions, makeLocalnet } from '../../node/src/app/index.ts';
import { COMETBFT_PROGRAM } from '../../scripts/buildCometbft.ts';
import { freeRange } from './freePort.ts';
import { NetworkNode } from './networkNode.ts';

export type { NetworkNode } from './networkNode.ts';

export interface Network {
  readonly directory: string;
  readonly nodes: readonly NetworkNode[];
  readonly validators: readonly NetworkNode[];
  readonly rpcs: readonly NetworkNode[];
  /** Stops what runs, and deletes the homes. */
  close(): Promise<void>;
}

/** Makes a network's homes on ports that are free now; nothing runs yet. */
export async function makeNetwork(wish: Partial<LocalnetOptions>): Promise<Network> {
  const root = mkdtempSync(join(tmpdir(), 'network-'));
  const directory = join(root, 'net');
  const { validators = 2, rpcNodes = 1 } = wish;
  const made = await makeLocalnet({
    directory,
    validators,
    rpcNodes,
    basePort: await freeRange(10 * (validators + rpcNodes)),
    chainId: 'network-1',
    evmChainId: 713_714n,
    split: false,
    blockTimeMs: 1000,
    snapshotInterval: 0,
    cometbft: COMETBFT_PROGRAM,
    fresh: true,
    ...wish,
  });
  const nodes = made.nodes.map((node) => new NetworkNode(node));
  return {
    directory,
    nodes,
    validators: nodes.filter(({ role }) => role === 'validator'),
    rpcs: nodes.filter(({ role }) => role === 'rpc'),
    close: async () => {
      await Promise.all(nodes.map((node) => node.stop()));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Fails unless all of these have the same app hash in this block; waits until they have it. */
export async function agree(nodes: readonly NetworkNode[], height: number): Promise<void> {
  for (const node of nodes) await node.reaches(height);
  const hashes = await Promise.all(nodes.map((node) => node.appHash(height)));
  assert.deepStrictEqual(
    hashes,
    nodes.map(() => hashes[0]),
  );
}
