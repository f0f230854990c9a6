import assert from 'node:assert';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { silentLogger, systemClock } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import {
  Request,
  RequestFinalizeBlock,
  RequestInfo,
  RequestPrepareProposal,
  Response,
} from 'cosmjs-types/tendermint/abci/types';
import { readGenesis } from '../../node/src/app/genesis.ts';
import { FrameReader, frame } from '../../node/src/consensus/cometbft/abci/frames.ts';
import { createCometEngine, NO_SNAPSHOTS } from '../../node/src/consensus/index.ts';
import { readNextBaseFee } from '../../node/src/execution/index.ts';
import { createRelayedMempool, senderReads } from '../../node/src/mempool/index.ts';
import { sha256 } from '../../node/src/primitives/index.ts';
import { openHome } from '../support/openHome.ts';
import type { BenchOptions, Report } from './bench.ts';
import { EVM_CHAIN_ID, withHome } from './blockHome.ts';
import { ledgerTransfers } from './transfers.ts';

const PER_BLOCK = 1000;
/** The limit for the application's side of such a block. */
const LIMIT_MS = 400;

/** The application under CometBFT: its side of a full block. */
export async function run(report: Report, { full }: BenchOptions): Promise<void> {
  await withHome((home) => fullBlocks(home, report, full ? 30 : 8));
}

/** CheckTx of every transfer first, as gossip brings them; then proposal, vote, run and commit of the block. */
async function fullBlocks(home: string, report: Report, blocks: number): Promise<void> {
  const { chain, parts, close } = await openHome(home, { split: false });
  const { execution } = parts;
  const pool = createRelayedMempool(
    {},
    {
      checkTransaction: (raw) => execution.checkTransaction(raw, chain.newestState, chain.pendingContext()),
      forgetTransaction: (hash) => execution.forgetTransaction(hash),
      ...senderReads(() => chain.newestState),
      baseFee: () => readNextBaseFee(chain.newestState),
      clock: systemClock,
      logger: silentLogger,
    },
  );
  chain.onBlock((record, stores) => pool.onCommit(record, stores));
  const { doc } = await readGenesis(join(home, CONFIG_FILES.genesis));
  const engine = createCometEngine(
    {
      genesis: doc,
      maxGas: doc.consensusParams.block.maxGas,
      release: 'bench',
      retention: { minRetainBlocks: 0, evidenceBlocks: 0, snapshotBlocks: 0 },
      abciAddress: `unix://${home}/abci.sock`,
      rpcAddress: `unix://${home}/nobody.sock`,
      gapFile: join(home, 'data/gapped_blocks'),
    },
    {
      chain,
      history: parts.history,
      pool,
      execution,
      snapshots: NO_SNAPSHOTS,
      logger: silentLogger,
      cometLogger: silentLogger,
      clock: systemClock,
      queries: { answerAbci: () => Promise.reject(new RangeError('nobody asks')) },
      onFatal: (error) => console.error(error),
    },
  );
  await engine.start();
  const comet = new AbciCaller(connect(`${home}/abci.sock`));
  const checks: number[] = [];
  const sides: number[] = [];
  const processor: number[] = [];
  for (let height = 1; height <= blocks + 1; height++) {
    const txs =
      height === 1
        ? []
        : ledgerTransfers({ evmChainId: EVM_CHAIN_ID, from: (height - 2) * PER_BLOCK, count: PER_BLOCK });
    const checked = await comet.timed(txs.map((tx) => ({ checkTx: { tx, type: 0 } })));
    const before = process.cpuUsage();
    const side = await comet.block(height, txs.length);
    const used = process.cpuUsage(before);
    if (height === 1) continue;
    processor.push((used.user + used.system) / 1000);
    checks.push(checked / PER_BLOCK);
    sides.push(side);
  }
  comet.close();
  await engine.stop();
  await close();
  const middle = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
  const side = middle(sides);
  report({ name: 'CheckTx of a transfer', value: middle(checks) * 1000, unit: 'µs' });
  const busy = middle(processor);
  report({
    name: 'the block below, processor time of both sides of the socket',
    value: busy,
    unit: 'ms',
    ratio: busy / LIMIT_MS,
    peer: `the limit (${LIMIT_MS} ms)`,
  });
  report({
    name: 'application side of a block of 1,000 transfers',
    value: side,
    unit: 'ms',
    ratio: side / LIMIT_MS,
    peer: `the limit (${LIMIT_MS} ms)`,
  });
}

/** CometBFT's side of the socket. */
class AbciCaller {
  readonly #socket: Socket;
  readonly #reader = new FrameReader();
  #answers: Response[] = [];
  #told: () => void = () => undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (piece: Uint8Array) => {
      this.#answers.push(...this.#reader.push(piece).map((message) => Response.decode(message)));
      this.#told();
    });
  }

  async ask(requests: readonly Request[]): Promise<Response[]> {
    this.#answers = [];
    const all: Request[] = [...requests, { flush: {} }];
    this.#socket.write(Buffer.concat(all.map((request) => frame(Request.encode(request).finish()))));
    while (this.#answers.length < all.length) await new Promise<void>((told) => (this.#told = told));
    const failed = this.#answers.find(({ exception, checkTx }) => exception || (checkTx?.code ?? 0) !== 0);
    assert.ok(!failed, JSON.stringify(failed?.exception ?? failed?.checkTx?.log));
    return this.#answers;
  }

  async timed(requests: readonly Request[]): Promise<number> {
    const started = performance.now();
    if (requests.length > 0) await this.ask(requests);
    return performance.now() - started;
  }

  /** Prepare, process, finalize, commit; milliseconds of all four. */
  async block(height: number, expected: number): Promise<number> {
    const at = { height: BigInt(height), time: { seconds: 1_800_000_000n + BigInt(height), nanos: 0 } };
    const started = performance.now();
    const limits = RequestPrepareProposal.fromPartial({ ...at, maxTxBytes: 20_000_000n });
    const [prepared] = await this.ask([{ prepareProposal: limits }]);
    const { txs } = prepared!.prepareProposal!;
    assert.strictEqual(txs.length, expected);
    const block = RequestFinalizeBlock.fromPartial({
      ...at,
      txs,
      hash: sha256(Buffer.from(`block ${height}`)),
      proposerAddress: new Uint8Array(20),
    });
    const [processed] = await this.ask([
      { processProposal: { ...block, proposedLastCommit: block.decidedLastCommit } },
    ]);
    assert.strictEqual(processed!.processProposal!.status, 1);
    const [finalized] = await this.ask([{ finalizeBlock: block }]);
    assert.ok(finalized!.finalizeBlock!.txResults.every(({ code }) => code === 0));
    // Commit is answered before the block is durable, Info after it.
    await this.ask([{ commit: {} }]);
    await this.ask([{ info: RequestInfo.fromPartial({}) }]);
    return performance.now() - started;
  }

  close(): void {
    this.#socket.destroy();
  }
}
