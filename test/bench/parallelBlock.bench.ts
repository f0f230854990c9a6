import assert from 'node:assert';
import { deserialize, serialize } from 'node:v8';
import { silentLogger } from '@chain/platform';
import { createEvmEngine } from '../../node/src/evm/index.ts';
import { createExecution, type Execution } from '../../node/src/execution/index.ts';
import { mapKeyOf } from '../../node/src/primitives/index.ts';
import { Overlay, type PointReads, type RangeReads } from '../../node/src/state/view/index.ts';
import type { BlockContext } from '../../node/src/types/index.ts';
import { openHome } from '../support/openHome.ts';
import type { Report } from './bench.ts';
import { decidedBlock, EVM_CHAIN_ID, withHome } from './blockHome.ts';
import { makespan, type Touched } from './speculation.ts';
import { inEnvelope, tokenBlocks } from './tokenTransfers.ts';
import { ledgerTransfers, SENDERS } from './transfers.ts';

const COUNT = 2_000;
const GAS_LIMIT = 200_000_000n;
const CORES = [2, 16];
const ROUNDS = 7;

type State = PointReads & RangeReads;

/**
 * What running a block's transactions at once on threads would gain (docs/decisions/0034-serial-blocks.md): sets of keys that they
 * really read and write, the real time of each, the real cost of handing the sets over, and a simulated schedule.
 */
export async function run(report: Report): Promise<void> {
  await withHome(async (home) => {
    const { chain, close } = await openHome(home, { split: false });
    const { setUp, transfers } = tokenBlocks(EVM_CHAIN_ID, COUNT);
    await chain.applyBlock(decidedBlock(1, []));
    const subject = (name: string, txs: readonly Uint8Array[]): Subject => {
      const context = { ...chain.pendingContext(), gasLimit: GAS_LIMIT };
      return { name, txs, context, state: chain.newestState };
    };
    const payments = ledgerTransfers({ evmChainId: EVM_CHAIN_ID, from: 0, count: COUNT });
    await measure(report, subject('transfers of value', payments));
    await chain.applyBlock(decidedBlock(2, setUp.map(inEnvelope), chain.lastRecord));
    await measure(report, subject('ERC-20 transfers', transfers.map(inEnvelope)));
    await close();
  });
}

interface Subject {
  readonly name: string;
  readonly txs: readonly Uint8Array[];
  readonly context: BlockContext;
  readonly state: State;
}

async function measure(report: Report, subject: Subject): Promise<void> {
  const { name, txs } = subject;
  const engine = createEvmEngine({ chainId: EVM_CHAIN_ID });
  const execution = createExecution({}, { engine, logger: silentLogger });
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) times.push(await serialTime(execution, subject));
  const serial = Math.min(...times);
  const touched = await touchedBy(execution, subject);
  const handed = handingOver(touched);
  report({ name: `${name}: a transaction, serially`, value: (1000 * serial) / txs.length, unit: 'µs' });
  const reads = touched.reduce((sum, one) => sum + one.reads.size, 0) / touched.length;
  report({ name: `${name}: keys of the state that one reads`, value: reads, unit: '' });
  report({ name: `${name}: handing over what one reads and writes`, value: handed, unit: 'µs' });
  for (const cores of CORES) {
    for (const [what, micros] of [
      ['with what handing over costs', handed],
      ['were memory shared', 0],
    ] as const) {
      const each = (1000 * serial) / txs.length;
      const { micros: total, again } = makespan(touched, { cores, senders: SENDERS, each, handed: micros });
      const value = total / 1000;
      const row = { name: `${name}: ${cores} cores simulated, ${what}`, value, unit: 'ms' };
      const peer = `serial (${serial.toFixed(0)} ms), speed; ${again} of ${txs.length} run again`;
      report({ ...row, peer, ratio: serial / value });
    }
  }
}

/** CPU milliseconds of the whole block, senders known. */
async function serialTime(execution: Execution, { txs, context, state }: Subject): Promise<number> {
  const before = process.cpuUsage();
  const { results } = await execution.runBlock({ context, txs }, state);
  const { user, system } = process.cpuUsage(before);
  assert.ok(results.every(({ code }) => code === 0));
  return (user + system) / 1000;
}

/** What each reads and writes when they run one after another, without what every block does. */
async function touchedBy(execution: Execution, { txs, context, state }: Subject): Promise<Touched[]> {
  const overlay = new Overlay(state);
  const ofAny = await touchedByBlock(execution, { txs: [], context, state: overlay });
  const all: Touched[] = [];
  for (const tx of txs) {
    const one = await touchedByBlock(execution, { txs: [tx], context, state: overlay });
    for (const [key, { store, bytes, value }] of one.rows) {
      if (ofAny.writes.has(key)) continue;
      if (value) overlay.set(store, bytes, value);
      else overlay.delete(store, bytes);
    }
    all.push({ reads: one.reads.difference(ofAny.reads), writes: one.writes.difference(ofAny.writes) });
  }
  // Fees and supply are summed up at the end of the block.
  const common = all.reduce((kept, { writes }) => kept.intersection(writes), all[0]!.writes);
  return all.map(({ reads, writes }) => ({
    reads: reads.difference(common),
    writes: writes.difference(common),
  }));
}

interface Row {
  readonly store: string;
  readonly bytes: Uint8Array;
  readonly value: Uint8Array | null;
}

async function touchedByBlock(execution: Execution, { txs, context, state }: Omit<Subject, 'name'>) {
  const reads = new Set<string>();
  const watched: State = {
    get: (store, key) => {
      reads.add(`${store} ${mapKeyOf(key)}`);
      return state.get(store, key);
    },
    iterate: (store, range) => state.iterate(store, range),
  };
  const { stores } = await execution.runBlock({ context, txs }, watched);
  const rows = new Map<string, Row>();
  for (const { store, changes } of stores) {
    for (const { key, value } of changes) {
      rows.set(`${store} ${mapKeyOf(key)}`, { store, bytes: key, value });
    }
  }
  return { reads, rows, writes: new Set(rows.keys()) };
}

/** CPU microseconds to write and read, as threads' messages are, 32 bytes for each key that a transaction touches. */
function handingOver(touched: readonly Touched[]): number {
  const rowsOf = (keys: ReadonlySet<string>) => [...keys].map((key) => [key, new Uint8Array(32)]);
  const messages = touched.map(({ reads, writes }) => [rowsOf(reads), rowsOf(writes)]);
  const round = (): number => {
    const before = process.cpuUsage();
    for (const message of messages) deserialize(serialize(message));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / messages.length;
  };
  return Math.min(...Array.from({ length: ROUNDS }, round));
}
