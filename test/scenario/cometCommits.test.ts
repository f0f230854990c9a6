import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, systemClock } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { CheckTxType, RequestFinalizeBlock, RequestInfo } from 'cosmjs-types/tendermint/abci/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readGenesis } from '../../node/src/app/genesis.ts';
import { DEFAULT_CHAIN_ID, initialiseHome } from '../../node/src/config/index.ts';
import {
  type CometApplication,
  createCometApplication,
} from '../../node/src/consensus/cometbft/application/cometApplication.ts';
import { NO_SNAPSHOTS } from '../../node/src/consensus/index.ts';
import { readNextBaseFee } from '../../node/src/execution/index.ts';
import { createRelayedMempool, senderReads } from '../../node/src/mempool/index.ts';
import { sha256 } from '../../node/src/primitives/index.ts';
import type { Block, BlockRecord } from '../../node/src/types/index.ts';
import { decidedBlock } from '../bench/blockHome.ts';
import { type OpenedHome, openHome } from '../support/openHome.ts';

const FIRST_SECOND = 1_700_000_000;
const INFO = RequestInfo.fromPartial({});

describe('a block that CometBFT commits', () => {
  let directory: string;
  let home: string;
  let opened: OpenedHome;
  let application: CometApplication;
  let failures: unknown[];
  /** The clock's; the blocks are of the seconds behind the first. */
  let nowMs: number;
  /** What CometBFT's RPC is to answer, by height. */
  let fetched: Map<number, PromiseWithResolvers<Block>>;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'comet-commits-'));
    home = join(directory, 'home');
    await initialiseHome({
      home,
      moniker: 'it',
      chainId: DEFAULT_CHAIN_ID,
      evmChainId: 713_714n,
      overwrite: false,
      mode: 'rpc',
      engine: 'cometbft',
    });
    await open();
  });
  afterEach(async () => {
    await opened.close();
    rmSync(directory, { recursive: true });
  });

  async function open(): Promise<void> {
    opened = await openHome(home, { split: false });
    const { chain, parts } = opened;
    const { doc } = await readGenesis(join(home, CONFIG_FILES.genesis));
    const pool = createRelayedMempool(
      {},
      {
        checkTransaction: (raw) =>
          parts.execution.checkTransaction(raw, chain.newestState, chain.pendingContext()),
        forgetTransaction: (hash) => parts.execution.forgetTransaction(hash),
        ...senderReads(() => chain.newestState),
        baseFee: () => readNextBaseFee(chain.newestState),
        clock: systemClock,
        logger: silentLogger,
      },
    );
    fetched = new Map();
    failures = [];
    nowMs = FIRST_SECOND * 1000;
    const retention = { minRetainBlocks: 0, evidenceBlocks: 0, snapshotBlocks: 0 };
    application = createCometApplication(
      { genesis: doc, maxGas: -1n, release: 'test', retention },
      {
        chain,
        pool,
        execution: parts.execution,
        snapshots: NO_SNAPSHOTS,
        logger: silentLogger,
        clock: { now: () => nowMs },
        queries: {
          answerAbci: async () => ({
            code: 0,
            log: '',
            key: NOTHING,
            value: NOTHING,
            height: chain.height,
            codespace: '',
          }),
        },
        fetchBlocks: (known) => known.map(({ height }) => answerOf(height).promise),
        onHandshake: () => undefined,
        onGap: async () => undefined,
        onFailure: (error) => failures.push(error),
      },
    );
  }
  const NOTHING = new Uint8Array(0);
  function answerOf(height: number): PromiseWithResolvers<Block> {
    const answer = fetched.get(height) ?? Promise.withResolvers<Block>();
    fetched.set(height, answer);
    return answer;
  }
  const blockAt = (height: number): Block => decidedBlock(height, [], opened.chain.lastRecord);
  const finalize = async (height: number, hash = sha256(Buffer.from(`block ${height}`))) =>
    application.handlers.finalizeBlock(
      RequestFinalizeBlock.fromPartial({
        height: BigInt(height),
        hash,
        proposerAddress: new Uint8Array(20).fill(9),
        time: { seconds: BigInt(FIRST_SECOND + height), nanos: 0 },
      }),
    );
  const commit = async (height: number): Promise<void> => {
    const block = blockAt(height);
    await finalize(height, block.id.hash);
    application.handlers.commit();
    answerOf(height).resolve(block);
  };

  it('is answered at once, and all that goes by it waits until it is durable', async () => {
    const { chain, parts } = opened;
    const { handlers } = application;
    const block = blockAt(1);
    await finalize(1, block.id.hash);
    expect(handlers.commit()).toEqual({ retainHeight: 0n });
    const order: string[] = [];
    const note = (what: string) => () =>
      order.push(`${what} at ${chain.height}, log ${parts.changelog.lastVersion}`);
    const waiting = [
      Promise.resolve(handlers.info(INFO)).then(note('info')),
      Promise.resolve(handlers.checkTx({ tx: Buffer.of(1), type: CheckTxType.RECHECK })).then(
        note('recheck'),
      ),
      Promise.resolve(handlers.query({ path: '/x', data: NOTHING, height: 0n, prove: false })).then(
        note('query'),
      ),
      finalize(2).then(note('the next block')),
    ];
    // A new transaction is checked meanwhile, and refused for what it is.
    const { code } = await handlers.checkTx({ tx: Buffer.of(1), type: CheckTxType.NEW });
    expect(code).toBeGreaterThan(0);
    expect(order).toEqual([]);
    expect(chain.height).toBe(0);
    answerOf(1).resolve(block);
    await Promise.all(waiting);
    expect(order).toHaveLength(4);
    for (const line of order) expect(line).toMatch(/at 1, log 1$/);
  });

  it('is handed over again when a crash has come before it was durable', async () => {
    for (const height of [1, 2, 3]) await commit(height);
    await application.settled();
    const block = blockAt(4);
    const { appHash } = await finalize(4, block.id.hash);
    application.handlers.commit();
    // What the process has in memory is lost; its files stay.
    await opened.close();
    await open();
    expect(await application.handlers.info(INFO)).toMatchObject({ lastBlockHeight: 3n });
    expect((await finalize(4, block.id.hash)).appHash).toEqual(appHash);
    application.handlers.commit();
    answerOf(4).resolve(block);
    expect(await application.handlers.info(INFO)).toMatchObject({
      lastBlockHeight: 4n,
      lastBlockAppHash: appHash,
    });
  });

  it('is run ahead of those under it while the node is behind, and kept with them by one sync', async () => {
    nowMs += 3_600_000;
    const { chain, parts } = opened;
    const hashes = new Map<number, Uint8Array>();
    const ids = new Map<number, Block>();
    const heights = Array.from({ length: 40 }, (_, i) => i + 1);
    let last: BlockRecord | undefined;
    for (const height of heights.slice(0, 32)) {
      const block = decidedBlock(height, [], last);
      last = { block, results: [] } as unknown as BlockRecord;
      ids.set(height, block);
      hashes.set(height, (await finalize(height, block.id.hash)).appHash);
      application.handlers.commit();
    }
    // Nothing is announced, and CometBFT may drop nothing of it: a crash would have them handed over again.
    expect(chain.height).toBe(0);
    expect(parts.changelog.lastVersion).toBe(0);
    expect(parts.stateCommit.version).toBe(32);
    for (const [height, block] of ids) answerOf(height).resolve(block);
    expect(await application.handlers.info(INFO)).toMatchObject({
      lastBlockHeight: 32n,
      lastBlockAppHash: hashes.get(32),
    });
    expect(parts.changelog.lastVersion).toBe(32);
    // The same blocks one by one, after the memory of a process was lost in the midst of them.
    for (const height of heights.slice(32)) {
      const block = decidedBlock(height, [], chain.lastRecord);
      await finalize(height, block.id.hash);
      application.handlers.commit();
    }
    await opened.close();
    await open();
    expect(opened.chain.height).toBe(32);
    expect(opened.chain.appHash).toEqual(hashes.get(32));
  });

  it('ends the node when it cannot be kept, and no other block follows', async () => {
    await commit(1);
    await application.settled();
    const block = blockAt(2);
    await finalize(2, block.id.hash);
    await opened.parts.changelog.close();
    application.handlers.commit();
    answerOf(2).resolve(block);
    await expect(application.settled()).rejects.toMatchObject({ code: 'CHAIN_HALTED' });
    expect(failures).toEqual([expect.objectContaining({ code: 'CHAIN_HALTED' })]);
    await expect(finalize(3)).rejects.toMatchObject({ code: 'CHAIN_HALTED' });
    await expect(Promise.resolve(application.handlers.info(INFO))).rejects.toMatchObject({
      code: 'CHAIN_HALTED',
    });
  });
});
