import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { joinKvstore, missingCometbft, startKvstore } from '../support/cometbft.ts';
import { cometHeight } from '../support/cometCall.ts';
import { makeNetwork } from '../support/network.ts';
import type { BenchOptions, Report } from './bench.ts';
import { processCpuUs } from './processCpu.ts';

const MINUTES = 600_000;
/** Between blocks of a node that is synced from: it makes as good as none meanwhile. */
const PAUSE_MS = 600_000;

/** What a node that syncs blocks does in a second, and what one block costs its processes. */
interface Sync {
  readonly blocksPerSecond: number;
  /** Of CometBFT, and of the application where it is another process. */
  readonly cometMs: number;
  readonly applicationMs: number;
}

/** The same number of empty blocks, synced by a new node from one that has them, with CometBFT's own application too. */
export async function run(report: Report, { full }: BenchOptions): Promise<void> {
  const missing = missingCometbft();
  if (missing) {
    console.log(`  left out: ${missing}`);
    return;
  }
  const blocks = full ? 6000 : 1200;
  const directory = mkdtempSync(join(tmpdir(), 'block-sync-'));
  try {
    const theirs = await kvstoreSync(directory, blocks);
    const ours = await chaindSync(blocks);
    report({
      name: `block sync of ${blocks} blocks`,
      value: ours.blocksPerSecond,
      unit: 'blocks/s',
      ratio: ours.blocksPerSecond / theirs.blocksPerSecond,
      peer: `CometBFT's kvstore (${Math.round(theirs.blocksPerSecond)}/s)`,
    });
    const peer = `the kvstore's, in CometBFT (${theirs.cometMs.toFixed(2)} ms)`;
    const row = (name: string, value: number): void =>
      report({ name, value, unit: 'ms', ratio: value / theirs.cometMs, peer });
    row('processor time of a block, CometBFT', ours.cometMs);
    row('processor time of a block, application', ours.applicationMs);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function kvstoreSync(directory: string, blocks: number): Promise<Sync> {
  const home = join(directory, 'first');
  const maker = await startKvstore(home, 1);
  await reached(maker.url, blocks + 10);
  await maker.stop();
  const first = await startKvstore(home, PAUSE_MS);
  const second = await joinKvstore(join(directory, 'second'), { home, p2p: first.p2p });
  const sync = await syncOf(second.url, blocks, () => [second.pid]);
  await second.stop();
  await first.stop();
  return sync;
}

async function chaindSync(blocks: number): Promise<Sync> {
  const network = await makeNetwork({ validators: 1, rpcNodes: 1, blockTimeMs: 1 });
  try {
    const [validator, follower] = network.nodes;
    validator!.start();
    await validator!.reaches(blocks + 10, MINUTES);
    await validator!.stop();
    validator!.edit('config', { 'consensus.timeout_commit': PAUSE_MS });
    validator!.start();
    await validator!.reaches(blocks + 10);
    follower!.start();
    return await syncOf(follower!.consensusRpc, blocks, () => [follower!.cometPid(), follower!.pid]);
  } finally {
    await network.close();
  }
}

/** Of the second half: the first is a start. `pids`: CometBFT's, and the application's. */
async function syncOf(url: string, blocks: number, pids: () => readonly number[]): Promise<Sync> {
  const from = await reached(url, blocks >> 1);
  const started = performance.now();
  const before = pids().map(processCpuUs);
  const synced = (await reached(url, blocks)) - from;
  const seconds = (performance.now() - started) / 1000;
  const [cometMs = 0, applicationMs = 0] = pids().map(
    (pid, i) => (processCpuUs(pid) - before[i]!) / synced / 1000,
  );
  return { blocksPerSecond: synced / seconds, cometMs, applicationMs };
}

/** Asked rarely: every answer costs the node that is measured. */
async function reached(url: string, height: number): Promise<number> {
  for (;;) {
    const now = await cometHeight(url).catch(() => 0);
    if (now >= height) return now;
    await pause(250);
  }
}
