import assert from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_FILES } from '@chain/platform/contract';
import { createPublicClient, createWalletClient, defineChain, encodeFunctionData, http } from 'viem';
import { developmentAccount } from '../support/accounts.ts';
import { logRecords } from '../support/chaind.ts';
import { missingCometbft } from '../support/cometbft.ts';
import { compileContracts } from '../support/contracts.ts';
import { makeNetwork, type NetworkNode } from '../support/network.ts';
import { enableStateSync, snapshotsOf } from '../support/networkSync.ts';
import type { BenchOptions, Report } from './bench.ts';

/** Leaves a second, and the longest wait for a block while a snapshot is made. */
const TARGET = 60_000;
const PAUSE_MS = 250;
/** What one transaction makes; an account costs 34,000 gas, a slot 22,100. */
const BATCH = 10_000;
const BATCH_GAS = 500_000_000n;
const UNDER_WAY = 3;
const MAX_GAS = '10000000000';
const BLOCK_MS = 200;
const SNAPSHOT_EVERY = 40;
/** Blocks that tell how evenly they come without a snapshot. */
const QUIET_BLOCKS = 25;
const { Filler } = compileContracts();

/** A network's state made by a contract, a snapshot of it while blocks go on, and a state sync from it. */
export async function run(report: Report, { full, progress }: BenchOptions): Promise<void> {
  const missing = missingCometbft();
  if (missing) {
    console.log(`  left out: ${missing}`);
    return;
  }
  const [accounts, slots] = full ? [1_000_000, 3_000_000] : [20_000, 60_000];
  const wish = { validators: 1, blockTimeMs: BLOCK_MS, snapshotInterval: 0 };
  const network = await makeNetwork(wish);
  try {
    const [validator, fresh] = [network.validators[0]!, network.rpcs[0]!];
    for (const { home } of [validator, fresh]) liftGasLimit(home);
    validator.edit('app', { 'evm.http_enabled': true });
    validator.start();
    await fill(validator, { accounts, slots, progress });
    await validator.stop();
    validator.edit('app', { 'state-sync.snapshot-interval': SNAPSHOT_EVERY });
    validator.start();
    await reportPauses(validator, report);
    await reportSync({ validator, fresh, accounts, slots }, report);
  } finally {
    await network.close();
  }
}

function liftGasLimit(home: string): void {
  const file = join(home, CONFIG_FILES.genesis);
  const text = readFileSync(file, 'utf8');
  assert.match(text, /"max_gas": *"[^"]*"/);
  writeFileSync(file, text.replace(/"max_gas": *"[^"]*"/, `"max_gas": "${MAX_GAS}"`));
}

interface Filling {
  readonly accounts: number;
  readonly slots: number;
  readonly progress: BenchOptions['progress'];
}

async function fill(node: NetworkNode, { accounts, slots, progress }: Filling): Promise<void> {
  const chain = defineChain({
    id: 713_714,
    name: 'filled',
    nativeCurrency: { name: 'c', symbol: 'c', decimals: 18 },
    rpcUrls: { default: { http: [node.jsonRpc] } },
  });
  const transport = http(node.jsonRpc, { timeout: 300_000 });
  const reader = createPublicClient({ chain, transport, pollingInterval: 100 });
  const account = developmentAccount(0);
  const wallet = createWalletClient({ chain, transport, account });
  await node.until('answers JSON-RPC', () => reader.getBlockNumber());
  const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 1n };
  const wait = async (hash: `0x${string}`) => {
    const receipt = await reader.waitForTransactionReceipt({ hash, timeout: 600_000 });
    assert.strictEqual(receipt.status, 'success');
    return receipt;
  };
  const { contractAddress: to } = await wait(
    await wallet.deployContract({ ...Filler, args: [], gas: 1_000_000n, nonce: 0, ...fees }),
  );
  const calls = [
    ...batches(accounts).map((from) => ({ functionName: 'accounts', from, value: BigInt(BATCH) })),
    ...batches(slots).map((from) => ({ functionName: 'slots', from, value: 0n })),
  ];
  let underWay: Promise<unknown>[] = [];
  for (const [i, { functionName, from, value }] of calls.entries()) {
    progress(`filling: ${i} of ${calls.length} transactions`);
    const data = encodeFunctionData({ abi: Filler.abi, functionName, args: [BigInt(from), BigInt(BATCH)] });
    const hash = await wallet.sendTransaction({ to, data, value, gas: BATCH_GAS, nonce: i + 1, ...fees });
    underWay.push(wait(hash));
    if (underWay.length < UNDER_WAY) continue;
    await Promise.all(underWay);
    underWay = [];
  }
  await Promise.all(underWay);
}

const batches = (count: number): number[] => Array.from({ length: count / BATCH }, (_, i) => i * BATCH);

/** How long blocks let wait, before a snapshot and while one is made. */
async function reportPauses(validator: NetworkNode, report: Report): Promise<void> {
  await validator.reaches(1);
  const from = await validator.height();
  const height = await validator.until('has written a snapshot', async () => snapshotsOf(validator).at(-1));
  const written = await validator.height();
  const [before, during] = await Promise.all([
    longestWait(validator, Math.max(from + 2, height - QUIET_BLOCKS), height),
    longestWait(validator, height, written),
  ]);
  const took = Number(written - height);
  report({ name: `longest wait for a block, ${QUIET_BLOCKS} before a snapshot`, value: before, unit: 'ms' });
  report({ name: `the same while it is made (${took} blocks)`, value: during, unit: 'ms' });
  const more = Math.max(0, during - before);
  report({
    name: 'pause that the snapshot makes',
    value: more,
    unit: 'ms',
    ratio: more / PAUSE_MS,
    peer: `the limit (${PAUSE_MS} ms)`,
  });
}

/** Milliseconds between the times of neighbouring blocks `from` … `to`, the most. */
async function longestWait(node: NetworkNode, from: number, to: number): Promise<number> {
  const times: number[] = [];
  for (let height = from; height <= to; height++) {
    const { header } = await node.call<{ header: { time: string } }>(`header?height=${height}`);
    times.push(Date.parse(header.time));
  }
  return Math.max(0, ...times.slice(1).map((time, i) => time - times[i]!));
}

interface Subjects {
  readonly validator: NetworkNode;
  readonly fresh: NetworkNode;
  readonly accounts: number;
  readonly slots: number;
}

async function reportSync({ validator, fresh, accounts, slots }: Subjects, report: Report): Promise<void> {
  await enableStateSync(fresh, validator);
  fresh.edit('app', { 'state-store.evm-ss-split': true });
  const started = Date.now();
  fresh.start();
  const restored = await fresh.until('has restored the snapshot', async () =>
    record(fresh, 'The snapshot is restored'),
  );
  const accepted = record(fresh, 'A snapshot is accepted')!;
  const rows = Number(restored.rows);
  assert.ok(rows >= accounts + slots, `${rows} rows`);
  const rate = rows / ((timeOf(restored) - timeOf(accepted)) / 1000);
  const shape = `${rows.toLocaleString('en-US')} leaves`;
  const compared = { peer: 'target 60 k/s', ratio: rate / TARGET };
  report({ name: `state sync over a network, ${shape}, split`, value: rate, unit: 'leaves/s', ...compared });
  await fresh.reaches(1);
  const phases = {
    'from the start of the program to an accepted snapshot': timeOf(accepted) - started,
    'from the accepted snapshot to a restored one': timeOf(restored) - timeOf(accepted),
    'from the restored snapshot to a node that serves': Date.now() - timeOf(restored),
  };
  for (const [name, ms] of Object.entries(phases)) report({ name, value: ms / 1000, unit: 's' });
}

const record = (node: NetworkNode, text: string) =>
  logRecords(node.output()).findLast(({ msg }) => msg === text);

const timeOf = ({ time }: Readonly<Record<string, unknown>>): number => Date.parse(String(time));
