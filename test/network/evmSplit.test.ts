import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { STARTUP_LINES } from '@chain/platform/contract';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { availableBackends } from '../../node/src/db/index.ts';
import { readSignState } from '../../node/src/keys/index.ts';
import { developmentAccount } from '../support/accounts.ts';
import { missingCometbft } from '../support/cometbft.ts';
import { deployLoad } from '../support/load.ts';
import { makeNetwork, type Network, type NetworkNode } from '../support/network.ts';
import { enableStateSync, forgeSnapshot, snapshotsOf, spoilChunks } from '../support/networkSync.ts';
import { createRandom } from '../support/random.ts';
import { leftOutIf } from '../support/required.ts';
import { rpcCall } from '../support/rpcCall.ts';

const leftOut = leftOutIf('state sync and the split migration on a network', missingCometbft());
const KILLS = Number(process.env.MIGRATE_NETWORK_KILLS ?? 3);
const SEED = Number(process.env.SOAK_SEED ?? Date.now() % 1_000_000);
const KEY_FILES = ['config/priv_validator_key.json', 'config/genesis.json', 'config/node_key.json'];

let network: Network;
let loading = true;
const under: Promise<void>[] = [];

/** Transactions go on at this node until the end, also when it is away for a while. */
function keepLoading(node: NetworkNode, seed: number): void {
  const run = async (): Promise<void> => {
    while (loading) {
      try {
        const load = await deployLoad(node.jsonRpc, createRandom(seed));
        await load.run(node.jsonRpc);
      } catch {
        await pause(500);
      }
    }
  };
  under.push(run());
}

const blockOf = async (node: NetworkNode): Promise<number> =>
  Number(await rpcCall<Hex>(node.jsonRpc, 'eth_blockNumber'));
const balances = (node: NetworkNode, height: number): Promise<Hex[]> =>
  Promise.all(
    [0, 1, 2, 3, 9].map((index) =>
      rpcCall<Hex>(node.jsonRpc, 'eth_getBalance', [
        developmentAccount(index).address,
        `0x${height.toString(16)}`,
      ]),
    ),
  );

/** Waits until a node that state syncs serves JSON-RPC, and gives the height that it was restored at. */
async function synced(node: NetworkNode): Promise<number> {
  await node.until('is synced', async () => (await blockOf(node)) > 0);
  return restoredHeight(node);
}

/** Of the last snapshot that it has restored. */
function restoredHeight(node: NetworkNode): number {
  const line = node
    .output()
    .split('\n')
    .findLast((it) => it.includes('"The snapshot is restored"'));
  return (JSON.parse(line!) as { height: number }).height;
}

async function migrate(
  node: NetworkNode,
  { killAfterMs, extra = [] }: { killAfterMs?: number; extra?: readonly string[] } = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const trusted = network.validators.flatMap(({ consensusRpc }) => ['--trusted-rpc', consensusRpc]);
  const child = spawn(
    process.execPath,
    [
      'node/bin/chaind.js',
      'migrate',
      'evm-split',
      '--home',
      node.home,
      ...trusted,
      '--yes',
      '--json',
      ...extra,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const exited = once(child, 'close') as Promise<[number | null]>;
  const streams = Promise.all([text(child.stdout), text(child.stderr)]);
  if (killAfterMs !== undefined) {
    await Promise.race([pause(killAfterMs), exited]);
    child.kill('SIGKILL');
  }
  const [out, err] = await streams;
  return { code: (await exited)[0], out, err };
}

/** What a node is, as its files say; from the home, or from the backup that the journal names. */
function identityOf({ home }: NetworkNode): Record<string, string | undefined> {
  const path = join(home, 'migration/journal.json');
  const journal = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as { backup?: { directory: string } })
    : {};
  const places = [home, ...(journal.backup ? [journal.backup.directory] : [])];
  return Object.fromEntries(
    KEY_FILES.map((file) => {
      const found = places.map((place) => join(place, file)).filter((it) => existsSync(it));
      return [file, found.map((it) => readFileSync(it, 'utf8')).at(-1)];
    }),
  );
}

describe(`a network under load (SOAK_SEED=${SEED})`, leftOut, () => {
  beforeAll(async () => {
    network = await makeNetwork({ validators: 2, rpcNodes: 3, snapshotInterval: 30 });
    const [rpc] = network.rpcs;
    for (const node of [...network.validators, rpc!]) node.start();
    await rpc!.until('the RPC node serves', async () => (await blockOf(rpc!)) > 2);
    keepLoading(rpc!, 1);
    const [first] = network.validators;
    await first!.until('there is a snapshot', async () => snapshotsOf(first!).length > 0);
  });
  afterAll(async () => {
    loading = false;
    await network?.close();
    await Promise.all(under);
  });

  it('brings a node into the split layout by state sync, past a peer that lies', async () => {
    const [honest, liar] = network.validators as [NetworkNode, NetworkNode];
    const [full, node] = network.rpcs as [NetworkNode, NetworkNode];
    const newest = await liar.until('the liar has the newest snapshot', async () => {
      const height = snapshotsOf(liar).at(-1)!;
      return snapshotsOf(honest).includes(height) && (await liar.height()) > height + 8 && height;
    });
    spoilChunks(liar, newest);
    const forged = newest + 3;
    forgeSnapshot(liar, forged);
    await enableStateSync(node, honest);
    node.edit('app', { 'state-store.evm-ss-split': true });
    node.start();
    const height = await synced(node);
    // Unless an honest one that is newer has come in between.
    const wasOffered = node.output().includes(`"height":${forged},"chunks":1`);
    expect(node.output().includes('"A snapshot is given up"')).toBe(wasOffered);
    expect(height).toBeGreaterThan(0);
    expect(height % 30).toBe(0);
    expect(await balances(node, height)).toEqual(await balances(full, height));
    await expect(balances(node, height - 5)).rejects.toThrow();
    await node.until('blocks follow', async () => (await blockOf(node)) > height + 2);
    const { starts } = JSON.parse(readFileSync(join(node.home, 'run/startup.json'), 'utf8')) as {
      starts: { lines: { message: string }[] }[];
    };
    expect(starts.at(-1)!.lines.map(({ message }) => message)).toEqual(Object.values(STARTUP_LINES));
    keepLoading(node, 2);
  });

  it(
    'brings one into RocksDB, also when it or its CometBFT is killed on the way',
    leftOutIf(
      'RocksDB',
      availableBackends().includes('rocksdb') ? undefined : 'no native code for this platform',
    ),
    async () => {
      const [full, , node] = network.rpcs as [NetworkNode, NetworkNode, NetworkNode];
      const [first] = network.validators as [NetworkNode];
      await enableStateSync(node, first);
      node.edit('app', { 'state-store.evm-ss-split': true, 'state-store.ss-backend': 'rocksdb' });
      node.start();
      await node.until('the restore begins', async () => node.output().includes('"A snapshot is accepted"'));
      await node.kill9();
      // Behind this line the snapshot is whole, and CometBFT has not noted it yet.
      const { promise: isWhole, resolve } = Promise.withResolvers<void>();
      node.oncePrints(/"chunk":([1-9]\d*),"of":\1,/, () => {
        process.kill(node.cometPid(), 'SIGKILL');
        process.kill(node.pid, 'SIGSTOP');
        resolve();
      });
      node.start();
      await isWhole;
      // Time for a newer one, which CometBFT takes now: the node begins anew with it.
      const newest = snapshotsOf(first).at(-1)!;
      await first.until('a newer snapshot', async () => snapshotsOf(first).at(-1)! > newest);
      process.kill(node.pid, 'SIGCONT');
      const blocksFollow = async () => (await blockOf(node)) > restoredHeight(node) + 2;
      await node.until('blocks follow', blocksFollow);
      const height = restoredHeight(node);
      expect(height).toBeGreaterThan(newest);
      expect(existsSync(join(node.home, 'data/rocksdb'))).toBe(true);
      expect(await balances(node, height)).toEqual(await balances(full, height));
      await node.stop();
    },
  );

  it('migrates its RPC node, killed at random moments, with the keys intact', {
    timeout: 3_600_000,
  }, async () => {
    const [node] = network.rpcs as [NetworkNode];
    const before = identityOf(node);
    const { node_info } = await node.call<{ node_info: { id: string } }>('status');
    node.edit('config', { 'statesync.discovery_time': 5000 });
    node.keepUp();
    let resync: string[] = [];
    const random = createRandom(SEED);
    for (let kill = 0; kill < KILLS; kill++) {
      const killAfterMs = 800 + random.next() * 12_000;
      const run = migrate(node, { killAfterMs, extra: resync });
      // Every third time the node goes first, and comes back by itself.
      if (kill % 3 === 2) {
        await pause(killAfterMs / 2);
        await node.kill9();
      }
      const { code } = await run;
      expect(identityOf(node)).toEqual(before);
      if (code === 0) resync = ['--resync'];
    }
    const { code, out, err } = await untilMigrated(node, resync);
    expect({ code, err }).toMatchObject({ code: 0 });
    const report = JSON.parse(out) as { verified: boolean; checks: { ok: boolean }[]; page: string };
    expect(report).toMatchObject({ verified: true });
    expect(report.checks).toHaveLength(7);
    expect(report.checks.every(({ ok }) => ok)).toBe(true);
    expect(readFileSync(report.page, 'utf8')).toContain('verified');
    expect(identityOf(node)).toEqual(before);
    for (const file of KEY_FILES) expect(readFileSync(join(node.home, file), 'utf8')).toBe(before[file]);
    expect(await readSignState(join(node.home, 'data/priv_validator_state.json'))).toMatchObject({
      height: 0,
    });
    const after = await node.call<{ node_info: { id: string } }>('status');
    expect(after.node_info.id).toBe(node_info.id);
    expect(await rpcCall(node.jsonRpc, 'debug_traceBlockByNumber', ['latest', {}])).toBeInstanceOf(Array);
  });
});

/** Run again until it has come to its end: a node that was killed comes back in its own time. */
async function untilMigrated(
  node: NetworkNode,
  extra: readonly string[],
): Promise<Awaited<ReturnType<typeof migrate>>> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await migrate(node, { extra });
    if (outcome.code === 0 || attempt === 8) return outcome;
    await pause(1000);
  }
}
