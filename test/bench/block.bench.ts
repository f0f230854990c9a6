import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { createEvmEngine } from '../../node/src/evm/index.ts';
import { createExecution, type Execution } from '../../node/src/execution/index.ts';
import { recoverPublicKey, signDigest } from '../../node/src/primitives/index.ts';
import { type Signatures, SignatureThreads } from '../../node/src/signatures/index.ts';
import { type OpenedHome, openHome } from '../support/openHome.ts';
import type { BenchOptions, Report } from './bench.ts';
import { decidedBlock, EVM_CHAIN_ID, withHome } from './blockHome.ts';
import { transferThroughput } from './throughput.ts';
import { ledgerTransfers } from './transfers.ts';

const PER_BLOCK = 1000;
/** What the Go reference writes to its commitment tree on two such cores. */
const GO_WRITES_PER_SECOND = 101_000;

/** Transfers: through JSON-RPC, executed only, through the commit pipeline, and replayed after a crash. */
export async function run(report: Report, { full }: BenchOptions): Promise<void> {
  await transferThroughput(report, full ? 30_000 : 6_000);
  await withHome((home) => executionOnly(home, report));
  await withHome((home) => commitPipeline(home, report, full ? 40 : 12));
  await withHome((home) => reopenAfterKill(home, report, full ? 200 : 30));
}

async function genesisApplied(home: string): Promise<OpenedHome> {
  const opened = await openHome(home, { split: false });
  await opened.chain.applyBlock(decidedBlock(1, []));
  return opened;
}

function newExecution(signatures?: Signatures): Execution {
  const engine = createEvmEngine({ chainId: EVM_CHAIN_ID });
  return createExecution({}, { engine, signatures, logger: silentLogger });
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** One block over and over on the same state: first with unknown senders, then with senders that CheckTx found. */
async function executionOnly(home: string, report: Report): Promise<void> {
  const count = 2000;
  const { chain, close } = await genesisApplied(home);
  const txs = ledgerTransfers({ evmChainId: EVM_CHAIN_ID, from: 0, count });
  const context = { ...chain.pendingContext(), gasLimit: 21_000n * BigInt(count) };
  const rate = async (execution: Execution): Promise<number> => {
    const started = performance.now();
    const { results } = await execution.runBlock({ context, txs }, chain.newestState);
    const seconds = (performance.now() - started) / 1000;
    assert.ok(results.every(({ code }) => code === 0));
    return count / seconds;
  };
  const cold: number[] = [];
  const warm: number[] = [];
  const beside: number[] = [];
  const signatures = new SignatureThreads({ threads: 1 }, { logger: silentLogger });
  for (let turn = 0; turn < 4; turn++) {
    const execution = newExecution();
    cold.push(await rate(execution));
    warm.push(await rate(execution));
    // The thread starts in the first turn.
    beside.push(await rate(newExecution(signatures)));
  }
  await signatures.close();
  const recoveries = recoveriesPerSecond(count);
  const row = { unit: 'tx/s', peer: `bare recovery (${Math.round(recoveries)}/s)` };
  const [first, known, ahead] = [median(cold), median(warm), median(beside)];
  report({ name: 'execution of 2,000 transfers', value: first, ratio: first / recoveries, ...row });
  const ratio = ahead / recoveries;
  report({
    name: 'execution of 2,000 transfers, senders recovered by a thread',
    value: ahead,
    ratio,
    ...row,
  });
  report({
    name: 'execution of 2,000 transfers, senders known from CheckTx',
    value: known,
    ratio: known / recoveries,
    ...row,
  });
  await close();
}

/** The limit on one core: secp256k1 recovery and nothing else. */
function recoveriesPerSecond(count: number): number {
  const key = Buffer.alloc(32, 7);
  const signed = Array.from({ length: count }, (_, i) => {
    const digest = Buffer.alloc(32);
    digest.writeUInt32BE(i + 1);
    return { digest, signature: signDigest(digest, key) };
  });
  const started = performance.now();
  for (const { digest, signature } of signed) recoverPublicKey(digest, signature);
  return count / ((performance.now() - started) / 1000);
}

async function commitPipeline(home: string, report: Report, blocks: number): Promise<void> {
  const { chain, parts, close } = await genesisApplied(home);
  const raw = await open(join(home, 'raw'), 'w');
  const bytes = Buffer.alloc(PER_BLOCK * 1000);
  const syncs: number[] = [];
  const times: Record<'applied' | 'known', number[]> = { applied: [], known: [] };
  for (let i = 0; i < blocks; i++) {
    const txs = ledgerTransfers({ evmChainId: EVM_CHAIN_ID, from: i * PER_BLOCK, count: PER_BLOCK });
    const known = i % 2 === 1;
    if (known) {
      const context = chain.pendingContext();
      for (const tx of txs) parts.execution.checkTransaction(tx, chain.newestState, context);
    }
    const block = decidedBlock(chain.nextHeight, txs, chain.lastRecord);
    const started = performance.now();
    const { finalized } = await chain.applyBlock(block);
    const applied = performance.now();
    assert.ok(finalized.results.every(({ code }) => code === 0));
    times[known ? 'known' : 'applied'].push(applied - started);
    // In turns, so that both see the same disk.
    const syncing = performance.now();
    await raw.write(bytes, 0, bytes.length, 0);
    await raw.datasync();
    syncs.push(performance.now() - syncing);
  }
  await raw.close();
  await close();
  const sync = median(syncs);
  const row = { unit: 'ms', peer: `bare write and fdatasync of 1 MB (${sync.toFixed(1)} ms)` };
  for (const [name, values] of [
    ['applyBlock, 1,000 transfers, synced', times.applied],
    ['applyBlock, 1,000 transfers, synced, senders known', times.known],
  ] as const) {
    const value = median(values);
    report({ name, value, ratio: value / sync, ...row });
  }
}

async function reopenAfterKill(home: string, report: Report, blocks: number): Promise<void> {
  const grower = join(import.meta.dirname, 'blockGrower.ts');
  const child = spawn(process.execPath, [grower, home, String(blocks), String(PER_BLOCK)], {
    stdio: 'inherit',
  });
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, 'SIGKILL');
  const started = performance.now();
  const { chain, parts, close } = await openHome(home, { split: false });
  const seconds = (performance.now() - started) / 1000;
  assert.equal(chain.height, blocks);
  let keys = 0;
  for (const { changes } of parts.changelog.read(1)) {
    for (const { changes: written } of changes.stores) keys += written.length;
  }
  await close();
  const name = `after kill -9 with ${blocks} blocks of 1,000 transfers to replay`;
  report({ name: `reopening ${name}`, value: seconds * 1000, unit: 'ms' });
  report({
    name: `replay ${name}`,
    value: keys / seconds,
    unit: 'keys/s',
    peer: 'Go reference, memiavl write',
    ratio: keys / seconds / GO_WRITES_PER_SECOND,
  });
}
