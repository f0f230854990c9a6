import { setTimeout as later } from 'node:timers/promises';
import { silentLogger, systemClock } from '@chain/platform';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { createEvmEngine } from '../../node/src/evm/index.ts';
import { createExecution } from '../../node/src/execution/index.ts';
import { readAccount } from '../../node/src/ledger/index.ts';
import { createMempool, senderReads } from '../../node/src/mempool/index.ts';
import { fromBech32, recoverPublicKey, signDigest } from '../../node/src/primitives/index.ts';
import { SignatureThreads } from '../../node/src/signatures/index.ts';
import { type OpenedHome, openHome } from '../support/openHome.ts';
import type { Report } from './bench.ts';
import { decidedBlock, EVM_CHAIN_ID, withHome } from './blockHome.ts';
import { SENDER_ADDRESSES, signSends } from './ledgerSends.ts';
import { ledgerTransfers } from './transfers.ts';

const COUNT = 2000;
/** Requests that are under way at a time, as of sixteen connections or of a batch. */
const AT_ONCE = [1, 16, 100];
const TURNS = 4;

/** Processor time of the main thread for a transaction that comes into the pool, with signatures on it and beside it. */
export async function run(report: Report): Promise<void> {
  await withHome(async (home) => {
    const opened = await openHome(home, { split: false });
    await opened.chain.applyBlock(decidedBlock(1, []));
    const state = opened.chain.newestState;
    const accountNumbers = SENDER_ADDRESSES.map(
      (address) => readAccount(state, fromBech32(address, 'chain'))!.accountNumber,
    );
    const kinds = {
      'plain transfer': ledgerTransfers({ evmChainId: EVM_CHAIN_ID, from: 0, count: COUNT }),
      'bank send': signSends({ from: 0, count: COUNT, accountNumbers }),
    };
    report({ name: 'bare recovery of a signature', value: bareRecovery(), unit: 'µs' });
    for (const [kind, txs] of Object.entries(kinds)) {
      for (const atOnce of AT_ONCE)
        await compare(report, `${kind}, ${atOnce} at once`, { opened, txs, atOnce });
    }
    await opened.close();
  });
}

interface Load {
  readonly opened: OpenedHome;
  readonly txs: readonly Uint8Array[];
  readonly atOnce: number;
}

async function compare(report: Report, name: string, load: Load): Promise<void> {
  const costs: [number[], number[]] = [[], []];
  // In turns, so that what else the machine does strikes both alike.
  for (let turn = 0; turn < TURNS; turn++) {
    for (const threads of [0, 1] as const) costs[threads].push(await costOf(load, threads));
  }
  const [without, value] = costs.map((each) => Math.min(...each)) as [number, number];
  const peer = `signatures on the main thread (${without.toFixed(0)} µs)`;
  report({ name: `${name}: main thread`, value, unit: 'µs', peer, ratio: value / without });
}

/** Microseconds of this thread for each transaction. */
async function costOf({ opened: { chain }, txs, atOnce }: Load, threads: number): Promise<number> {
  const metrics = createMetricsRegistry();
  const signatures = new SignatureThreads({ threads }, { logger: silentLogger, metrics });
  if (threads > 0) await warm(signatures, metrics);
  const engine = createEvmEngine({ chainId: EVM_CHAIN_ID });
  const execution = createExecution({}, { engine, signatures, logger: silentLogger });
  const pool = createMempool(
    { maxAccountTransactions: COUNT },
    {
      checkTransaction: (raw) => execution.checkTransaction(raw, chain.newestState, chain.pendingContext()),
      lookAhead: (raw) => execution.lookAhead(raw, chain.newestState, chain.pendingContext()),
      forgetTransaction: (hash) => execution.forgetTransaction(hash),
      ...senderReads(() => chain.newestState),
      baseFee: () => 1n,
      clock: systemClock,
      logger: silentLogger,
    },
  );
  const started = process.threadCpuUsage();
  for (let from = 0; from < txs.length; from += atOnce) {
    await Promise.all(txs.slice(from, from + atOnce).map((raw) => pool.add(raw)));
  }
  const { user, system } = process.threadCpuUsage(started);
  await signatures.close();
  return (user + system) / txs.length;
}

const KEY = Buffer.alloc(32, 7);
const signed = (i: number) => {
  const digest = Buffer.alloc(32);
  digest.writeUInt32BE(i + 1);
  return { digest, ...signDigest(digest, KEY) };
};

/** Threads start with the first questions. */
async function warm(
  signatures: SignatureThreads,
  metrics: ReturnType<typeof createMetricsRegistry>,
): Promise<void> {
  const questions = [1, 2].map((i) => ({ ...signed(i), parity: 0 as const, answered: () => undefined }));
  while (!(await metrics.text()).includes('checked_total{where="thread"}')) {
    await signatures.ask(questions);
    await later(5);
  }
}

function bareRecovery(): number {
  const all = Array.from({ length: COUNT }, (_, i) => signed(i));
  const started = process.threadCpuUsage();
  for (const { digest, ...signature } of all) recoverPublicKey(digest, signature);
  const { user, system } = process.threadCpuUsage(started);
  return (user + system) / COUNT;
}
