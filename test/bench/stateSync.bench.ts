import { mkdtempSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import {
  ResponseApplySnapshotChunk_Result as ChunkResult,
  ResponseOfferSnapshot_Result as OfferResult,
  Request,
  Response,
} from 'cosmjs-types/tendermint/abci/types';
import { FrameReader, frame } from '../../node/src/consensus/cometbft/abci/frames.ts';
import {
  type AbciHandlers,
  NO_SNAPSHOTS,
  openAbciServer,
  SnapshotTaker,
  serveShelf,
} from '../../node/src/consensus/index.ts';
import { createSnapshot, Restore, SnapshotShelf } from '../../node/src/state/snapshot/index.ts';
import { targetOf } from '../../node/src/state/snapshot/snapshot.fixture.ts';
import type { BenchOptions, Report } from './bench.ts';
import { grow, openBenchState } from './stateCommitLoad.ts';

/** Leaves a second, from peers on the same two cores. */
const TARGET = 60_000;
const BUDGET = (2 / TARGET) * 1e6;
const STORES = ['bank', 'evm'];

/** What CometBFT does on its connection: one request, then its answer. */
class AbciClient {
  readonly #socket: Socket;
  readonly #reader = new FrameReader();
  #answered: ((response: Response) => void) | undefined;

  constructor(address: string) {
    this.#socket = connect(address.replace('unix://', ''));
    this.#socket.on('data', (piece) => {
      for (const message of this.#reader.push(piece)) this.#answered?.(Response.decode(message));
    });
  }

  ask(request: Request): Promise<Response> {
    const { promise, resolve } = Promise.withResolvers<Response>();
    this.#answered = resolve;
    this.#socket.write(frame(Request.encode(request).finish()));
    return promise;
  }

  close(): void {
    this.#socket.destroy();
  }
}

const openRestore =
  (home: string, split: boolean) => (description: Restore['description'], appHash: Uint8Array) =>
    Restore.offer(
      description,
      { target: targetOf(home, { split }), stores: STORES, appHash },
      { beginHistory: async () => undefined, logger: silentLogger },
    );

/** Seconds of a sync from one node's shelf into another home, every message over ABCI's sockets. */
async function synced(
  { shelf, appHash }: { readonly shelf: SnapshotShelf; readonly appHash: Uint8Array },
  home: string,
  split: boolean,
): Promise<number> {
  const taker = new SnapshotTaker({
    open: openRestore(home, split),
    hasRoom: async () => true,
    onProgress: () => undefined,
    onRefused: () => undefined,
    onRestored: async () => undefined,
    logger: silentLogger,
  });
  const handlers = {
    ...NO_SNAPSHOTS,
    ...serveShelf(shelf, silentLogger),
    offerSnapshot: (request) => taker.offerSnapshot(request),
    applySnapshotChunk: (request) => taker.applySnapshotChunk(request),
  } as Partial<AbciHandlers> as AbciHandlers;
  const server = await openAbciServer(
    { address: `unix://${join(home, '..', `abci-${split}.sock`)}` },
    { handlers, logger: silentLogger },
  );
  const [serving, taking] = [new AbciClient(server.address), new AbciClient(server.address)];
  const started = performance.now();
  const { listSnapshots } = await serving.ask({ listSnapshots: {} });
  const snapshot = listSnapshots!.snapshots[0]!;
  const { offerSnapshot } = await taking.ask({ offerSnapshot: { snapshot, appHash } });
  if (offerSnapshot?.result !== OfferResult.ACCEPT) throw new RangeError('the offer is refused');
  const fetched = (chunk: number) =>
    serving.ask({ loadSnapshotChunk: { height: snapshot.height, format: snapshot.format, chunk } });
  // CometBFT fetches the next chunks while one is applied.
  let next = fetched(0);
  for (let index = 0; index < snapshot.chunks; index++) {
    const { loadSnapshotChunk } = await next;
    if (index + 1 < snapshot.chunks) next = fetched(index + 1);
    const { chunk } = loadSnapshotChunk!;
    const { applySnapshotChunk } = await taking.ask({ applySnapshotChunk: { index, chunk, sender: 'peer' } });
    if (applySnapshotChunk?.result !== ChunkResult.ACCEPT) throw new RangeError(`chunk ${index} is refused`);
  }
  const seconds = (performance.now() - started) / 1000;
  serving.close();
  taking.close();
  await server.close();
  return seconds;
}

/** The same restore without ABCI in between. */
async function direct(
  { shelf, appHash }: { readonly shelf: SnapshotShelf; readonly appHash: Uint8Array },
  home: string,
): Promise<number> {
  const started = performance.now();
  const { description } = shelf.list()[0]!;
  const restore = await openRestore(home, true)(description, appHash);
  for (let index = 0; index < description.chunks; index++) {
    await restore.applyChunk(index, await shelf.loadChunk(description.height, index));
  }
  await restore.finish();
  return (performance.now() - started) / 1000;
}

/** A state sync as the application sees it: from the serving node's shelf, through ABCI, into SC and SS. */
export async function run(report: Report, { full }: BenchOptions): Promise<void> {
  const leaves = full ? 4_000_000 : 400_000;
  enableCompileCache();
  const root = mkdtempSync(join(tmpdir(), 'state-sync-bench-'));
  const shape = `${leaves.toLocaleString('en-US')} leaves`;
  try {
    const state = await openBenchState(join(root, 'state'));
    await grow(state, leaves, 20_000);
    await state.commit.snapshotNow();
    const shelf = new SnapshotShelf(join(root, 'shelf'));
    const { frozen, release } = state.commit.freeze();
    const restorePoint = { chainId: 'bench-1', appHash: frozen.appHash, blockRecord: new Uint8Array(0) };
    await createSnapshot({ frozen, restorePoint, keepRecent: 0, parallel: 2 }, { shelf });
    const { appHash } = frozen;
    release();
    await state.close();
    const bare = leaves / (await direct({ shelf, appHash }, join(root, 'direct')));
    report({ name: `restore alone, ${shape}, split`, value: bare, unit: 'leaves/s' });
    for (const split of [true, false]) {
      const before = process.cpuUsage();
      const value = leaves / (await synced({ shelf, appHash }, join(root, `home-${split}`), split));
      const { user, system } = process.cpuUsage(before);
      const name = `state sync over ABCI, ${shape}, ${split ? 'split' : 'unsplit'}`;
      report({ name, value, unit: 'leaves/s', peer: 'target 60 k/s', ratio: value / TARGET });
      report({ name, value, unit: 'leaves/s', peer: 'restore alone', ratio: value / bare });
      // Of both sides and all threads: it does not mind what else the machine does.
      const cost = (user + system) / leaves;
      const peer = `budget of ${BUDGET.toPrecision(2)} µs on two cores`;
      report({ name: `${name}, CPU a leaf`, value: cost, unit: 'µs', peer, ratio: cost / BUDGET });
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
