import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, Turns } from '@chain/platform';
import { encodeBlockRecord, type History, type LogQuery, openHistory } from '../../node/src/history/index.ts';
import { LogsList } from '../../node/src/rpc/format/logsJson.ts';
import { LogsWriter } from '../../node/src/rpc/format/logsWriter.ts';
import { formatLog } from '../../node/src/rpc/format/receipt.ts';
import type { BlockRecord, EvmLog, Receipt } from '../../node/src/types/index.ts';
import type { BenchOptions, Report } from './bench.ts';
import { longestTurn } from './longestTurn.ts';
import { timed as took } from './took.ts';

const NO_CHANGELOG = { firstVersion: 0, lastVersion: 0, read: () => [] };
const EMPTY = new Uint8Array(0);
const LOUD = filled(20, 1);
const RARE = filled(20, 2);
const TRANSFER = filled(32, 3);
/** No other request waits longer beside a large answer. */
const TURN_MS = 20;
/** An answer well below a second. */
const TARGET_MS = 100;

function filled(length: number, value: number): Uint8Array {
  return new Uint8Array(length).fill(value);
}

/** Different in every block. */
function numbered(length: number, kind: number, ...numbers: number[]): Uint8Array {
  const bytes = Buffer.alloc(length, kind);
  numbers.forEach((number, i) => {
    bytes.writeUInt32BE(number, i * 4);
  });
  return bytes;
}

function transfer(height: number, index: number, address = LOUD): EvmLog {
  const [from, to] = [index, index + 1].map((i) => numbered(32, 7, height % 977, i));
  return { address, topics: [TRANSFER, from!, to!], data: filled(32, 9) };
}

function receiptOf(height: number, index: number, logs: readonly EvmLog[]): Receipt {
  return {
    transactionHash: numbered(32, 4, height, index),
    blockNumber: height,
    ledgerIndex: index,
    transactionIndex: index,
    type: 2,
    from: filled(20, 5),
    to: LOUD,
    contractAddress: null,
    status: 1,
    gasUsed: 50_000n,
    cumulativeGasUsed: 50_000n * BigInt(index + 1),
    effectiveGasPrice: 10n ** 9n,
    logs,
    firstLogIndex: index,
    vmError: '',
    returnData: EMPTY,
  };
}

/** A block with so many transactions of one log each. */
function blockAt(height: number, transactions: number, isRare: boolean): BlockRecord {
  const hash = numbered(32, 6, height);
  const id = { hash, partsTotal: 1, partsHash: hash };
  const header = {
    blockProtocol: 11n,
    appProtocol: 0n,
    chainId: 'bench-1',
    height,
    time: { seconds: 1_700_000_000n + BigInt(height), nanos: 0 },
    lastBlockId: id,
    lastCommitHash: hash,
    dataHash: hash,
    validatorsHash: hash,
    nextValidatorsHash: hash,
    consensusHash: hash,
    appHash: hash,
    lastResultsHash: hash,
    evidenceHash: hash,
    proposerAddress: filled(20, 8),
  };
  const address = isRare ? RARE : LOUD;
  const indexes = Array.from({ length: transactions }, (_, i) => i);
  return {
    block: {
      id,
      header,
      txs: indexes.map((i) => numbered(250, 1, height, i)),
      lastCommit: EMPTY,
      sizeBytes: 1,
    },
    results: indexes.map(() => ({
      code: 0,
      codespace: '',
      data: EMPTY,
      log: '',
      gasWanted: 1n,
      gasUsed: 1n,
      events: [],
    })),
    receipts: indexes.map((i) => receiptOf(height, i, [transfer(height, i, address)])),
    baseFee: 1n,
    nextBaseFee: 1n,
    events: [],
    validators: [],
    validatorUpdates: [],
    gasLimit: 1n,
  };
}

async function grow(history: History, blocks: number, transactions: number): Promise<number> {
  const started = performance.now();
  for (let height = 1; height <= blocks; height++) {
    const record = blockAt(height, transactions, height % 50_021 === 0);
    const done = history.append(record, encodeBlockRecord(record));
    if (height % 256 === 0) await done;
  }
  await history.flush();
  return blocks / ((performance.now() - started) / 1000);
}

/** The best of five, in milliseconds. */
async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  let ms = Number.POSITIVE_INFINITY;
  let result = await work();
  for (let i = 0; i < 5; i++) {
    const started = performance.now();
    result = await work();
    ms = Math.min(ms, performance.now() - started);
  }
  return { ms, result };
}

async function withHistory(work: (open: () => Promise<History>) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-logs-'));
  try {
    await work(() => openHistory({ directory }, { changelog: NO_CHANGELOG, logger: silentLogger }));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A rare event among very many blocks, and everything of 2,000 full ones, in the history itself. */
export async function run(report: Report, { full }: BenchOptions): Promise<void> {
  const blocks = full ? 1_000_000 : 100_000;
  const shape = `${blocks.toLocaleString('en-US')} blocks`;
  await withHistory(async (open) => {
    let history = await open();
    report({ name: `append, a log a block`, value: await grow(history, blocks, 1), unit: 'blocks/s' });
    await history.close();
    const opening = await took(async () => {
      history = await open();
    });
    report({ name: `open, ${shape}`, value: 1000 * opening.seconds, unit: 'ms' });
    report({ name: `open, ${shape}: processor time`, value: 1000 * opening.cpuSeconds, unit: 'ms' });
    const all = { fromHeight: 1, toHeight: blocks };
    for (const [what, query] of [
      ['a rare address', { ...all, addresses: [RARE] }],
      [
        'a common address and a rare topic',
        { ...all, addresses: [LOUD], topics: [[TRANSFER], [numbered(32, 7, 976, 0)]], limit: 100 },
      ],
      ['an address that is nowhere', { ...all, addresses: [filled(20, 99)] }],
    ] as const) {
      const { ms, result } = await timed(() => history.logs(query));
      const name = `${what}, ${shape}, ${result.length} logs`;
      report({ name, value: ms, unit: 'ms', peer: `target ${TARGET_MS} ms`, ratio: TARGET_MS / ms });
    }
    await history.close();
  });
  await withHistory(async (open) => {
    const history = await open();
    report({ name: 'append, 50 logs a block', value: await grow(history, 2000, 50), unit: 'blocks/s' });
    const range = { fromHeight: 1, toHeight: 2000 };
    const one = { ...range, topics: [null, [numbered(32, 7, 0, 7)]] };
    await answerTimes(report, history, { name: 'one topic', query: one });
    await answerTimes(report, history, { name: 'all', query: range });
    await history.close();
  });
}

/** A query until its answer is JSON, beside the runtime's own JSON and a copy of the same bytes. */
async function answerTimes(
  report: Report,
  history: History,
  { name, query }: { readonly name: string; readonly query: LogQuery },
): Promise<void> {
  const writer = new LogsWriter();
  const turns = new Turns();
  const limits = { maxBytes: 1 << 30, signal: new AbortController().signal };
  const answer = async () => {
    const list = new LogsList(limits, { writer, turns });
    await list.write(await history.logs(query));
    return list.json().pieces;
  };
  const { ms, result } = await timed(answer);
  const { cpuSeconds } = await took(answer);
  const turn = await longestTurn(answer);
  const objects = await timed(async () => JSON.stringify((await history.logs(query)).map(formatLog)));
  const bytes = Buffer.concat(result);
  const copy = await timed(async () => Buffer.from(bytes));
  const shape = `${name} of 2,000 blocks × 50 logs as JSON (${(bytes.length / 1e6).toFixed(1)} MB)`;
  for (const [peer, theirs] of [
    ['JSON.stringify', objects.ms],
    ...(bytes.length > 1e6 ? [['one copy of the bytes', copy.ms] as const] : []),
    ['target 50 ms', 50],
  ] as const) {
    report({ name: shape, value: ms, unit: 'ms', peer, ratio: theirs / ms });
  }
  report({ name: `${shape}: processor time`, value: 1000 * cpuSeconds, unit: 'ms' });
  const held = { name: `${shape}: longest turn of the event loop, processor time`, value: turn, unit: 'ms' };
  report({ ...held, peer: `target ${TURN_MS} ms`, ratio: TURN_MS / turn });
}
