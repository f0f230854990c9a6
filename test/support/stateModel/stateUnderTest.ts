import assert from 'node:assert';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lifecycle, silentLogger } from '@chain/platform';
import { DATA_DIRS } from '@chain/platform/contract';
import type { DbBackend } from '../../../node/src/db/index.ts';
import { encodeBlockRecord, type History, openHistory } from '../../../node/src/history/index.ts';
import { type Changelog, openChangelog } from '../../../node/src/state/changelog/index.ts';
import { openStateCommit, type StateCommit } from '../../../node/src/state/commit/index.ts';
import { engineHere } from '../../../node/src/state/flatKv/flatKv.fixture.ts';
import type { FlatKv } from '../../../node/src/state/flatKv/index.ts';
import { StartedFlatKv } from '../../../node/src/state/flatKv/startedFlatKv.ts';
import { openStateStore, type StateStore } from '../../../node/src/state/store/index.ts';
import type { BlockChanges, BlockRecord } from '../../../node/src/types/index.ts';
import { assertFlatKv } from '../flatKvCheck.ts';
import { recordOf } from './modelBlock.ts';
import { hexOf, keyOf, ModelState, STORES } from './modelState.ts';

export interface Layout {
  readonly backend: DbBackend;
  readonly split: boolean;
  readonly separateDbs: boolean;
}

/** Memory where there is some: what is tested here is what the layers do, not what a disk does. */
const ROOT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
/** Segments and batches so small that each sequence meets their edges. */
const SEGMENT_BYTES = 1500;

interface Opened {
  readonly changelog: Changelog;
  readonly commit: StateCommit;
  readonly store: StateStore;
  readonly history: History;
  readonly flatKv: FlatKv;
  readonly lifecycle: Lifecycle;
}

/** SC, SS, history, FlatKV and changelog over one home, beside a model that each is compared with. */
export class StateUnderTest {
  readonly #layout: Layout;
  readonly #home = mkdtempSync(join(ROOT, 'state-model-'));
  readonly model = new ModelState();
  readonly #appHashes: string[] = [];
  #opened!: Opened;
  /** Versions at which a directory was put aside. */
  readonly #aside = new Map<string, number>();

  private constructor(layout: Layout) {
    this.#layout = layout;
  }

  static async create(layout: Layout): Promise<StateUnderTest> {
    const state = new StateUnderTest(layout);
    await state.#open();
    return state;
  }

  /** The next block goes through log and layers as the chain hands it to them. */
  async block(stores: BlockChanges['stores']): Promise<void> {
    const { changelog, commit, store, history, flatKv } = this.#opened;
    const { changes, record } = this.#next(stores);
    this.#appHashes[changes.version] = hexOf(commit.apply(changes));
    await changelog.append({ changes, record: encodeBlockRecord(record) });
    await store.apply(changes);
    await history.append(record);
    await flatKv.apply(changes);
  }

  /** Blocks that reach the log alone, then an end: the layers have to find them there. */
  async crashBehind(blocks: readonly BlockChanges['stores'][]): Promise<void> {
    for (const stores of blocks) {
      const { changes, record } = this.#next(stores);
      await this.#opened.changelog.append({ changes, record: encodeBlockRecord(record) });
    }
    await this.reopen();
  }

  async reopen(): Promise<void> {
    await this.#opened.lifecycle.close();
    await this.#open();
  }

  /** Puts a copy of one layer's directory aside. */
  async putAside(directory: string): Promise<void> {
    await this.#opened.lifecycle.close();
    const copy = join(this.#home, 'aside', directory);
    rmSync(copy, { recursive: true, force: true });
    if (existsSync(join(this.#home, directory))) {
      cpSync(join(this.#home, directory), copy, { recursive: true, verbatimSymlinks: true });
      this.#aside.set(directory, this.model.version);
    }
    await this.#open();
  }

  /** One layer alone falls back to what was put aside, as far as the changelog joins it. */
  async fallBack(directory: string): Promise<void> {
    const version = this.#aside.get(directory);
    if (version === undefined) return;
    // FlatKV has SC to be rebuilt from; the others have the log alone.
    const joins = version + 1 >= this.#opened.changelog.firstVersion;
    if (!joins && directory !== DATA_DIRS.flatKv) return;
    await this.#opened.lifecycle.close();
    rmSync(join(this.#home, directory), { recursive: true });
    cpSync(join(this.#home, 'aside', directory), join(this.#home, directory), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await this.#open();
  }

  async snapshot(): Promise<void> {
    await this.#opened.commit.snapshotNow();
  }

  async cutLog(): Promise<void> {
    const { changelog, commit, store, history, flatKv } = this.#opened;
    await history.flush();
    const held = [commit.snapshotVersion, store.durableVersion, history.durableHeight, flatKv.durableVersion];
    await changelog.truncateBefore(Math.min(...held));
  }

  async prune(share: number): Promise<void> {
    const { store } = this.#opened;
    await store.flushed();
    const floor = Math.max(store.earliestVersion, Math.floor(store.durableVersion * share));
    if (floor < 1) return;
    await store.prune(floor);
    this.model.floor = Math.max(this.model.floor, store.earliestVersion);
    this.#aside.clear();
  }

  /** Takes blocks back where every layer can follow: history starts over, from the log. */
  async rollBack(share: number): Promise<void> {
    const { changelog, commit, store } = this.#opened;
    const target = Math.ceil(this.model.version * share);
    const canFollow =
      changelog.firstVersion <= 1 && commit.snapshotVersion <= target && target >= this.model.floor;
    if (target < 1 || !canFollow) return;
    await store.flushed();
    await store.rewind(target, changelog);
    await changelog.rewind(target);
    await this.#opened.lifecycle.close();
    rmSync(join(this.#home, DATA_DIRS.history), { recursive: true });
    this.model.rewind(target);
    this.#appHashes.length = Math.min(this.#appHashes.length, target + 1);
    this.#aside.clear();
    await this.#open();
  }

  /** Compares every layer with the model at every version. */
  async check(): Promise<void> {
    const { changelog, commit, store, history } = this.#opened;
    const { version, keys, blocks } = this.model;
    assert.deepEqual(
      [commit.version, store.latestVersion, history.latestHeight],
      [version, version, version],
    );
    for (let at = this.model.floor; at <= version; at++) {
      for (const name of keys) {
        const [storeName = ''] = name.split('/', 1);
        assertSame(store.get(storeName, keyOf(name), at), this.model.get(name, at), `SS ${name} at ${at}`);
      }
    }
    for (const name of STORES) {
      const rows = [...commit.iterate(name)].map(([key, value]) => [hexOf(key), hexOf(value)]);
      assert.deepEqual(rows, this.model.rows(name, version), `SC ${name}`);
      await this.#checkIteration(name);
    }
    if (this.#appHashes[version]) assert.equal(hexOf(commit.appHash), this.#appHashes[version]);
    await this.#checkFlatKv();
    for (let height = 1; height <= version; height++) {
      assert.equal(history.blockByHeight(height)?.block.header.height, height);
      const hash = history.blockByHeight(height)!.block.id.hash;
      assert.equal(history.blockByHash(hash)?.block.header.height, height);
    }
    for (const { changes } of version > 0 ? changelog.read(changelog.firstVersion) : []) {
      assert.deepEqual(plain(changes), plain(blocks[changes.version - 1]!));
    }
  }

  /** The app hash of the same blocks in a state that was never snapshotted, reopened or rolled back. */
  async checkAppHash(): Promise<void> {
    const fresh = await StateUnderTest.create({ ...this.#layout, split: false, separateDbs: false });
    try {
      for (const { stores } of this.model.blocks) await fresh.block(stores);
      assert.equal(hexOf(this.#opened.commit.appHash), hexOf(fresh.#opened.commit.appHash));
    } finally {
      await fresh.remove();
    }
  }

  async remove(): Promise<void> {
    await this.#opened.lifecycle.close();
    rmSync(this.#home, { recursive: true });
  }

  /** In a copy: the databases themselves are open. */
  async #checkFlatKv(): Promise<void> {
    const { flatKv, commit } = this.#opened;
    await flatKv.flushed();
    assert.equal(flatKv.failure, undefined);
    assert.equal(flatKv.version, commit.version);
    const copy = join(this.#home, 'flatkv-copy');
    const from = join(this.#home, DATA_DIRS.flatKv);
    cpSync(from, copy, { recursive: true, filter: (path) => !path.startsWith(join(from, 'LOCK')) });
    await assertFlatKv(copy, { stores: STORES, state: commit });
    rmSync(copy, { recursive: true });
  }

  async #checkIteration(name: string): Promise<void> {
    const { version, floor } = this.model;
    if (name === 'evm' && this.#layout.split) return;
    for (const at of new Set([floor, version])) {
      const rows: string[][] = [];
      for await (const [key, value] of this.#opened.store.iterate(name, at))
        rows.push([hexOf(key), hexOf(value)]);
      assert.deepEqual(rows, this.model.rows(name, at), `SS rows of ${name} at ${at}`);
    }
  }

  #next(stores: BlockChanges['stores']): { changes: BlockChanges; record: BlockRecord } {
    const changes = { version: this.model.version + 1, stores };
    this.model.apply(changes);
    return { changes, record: recordOf(changes.version) };
  }

  async #open(): Promise<void> {
    const lifecycle = new Lifecycle();
    const logger = silentLogger;
    const home = this.#home;
    try {
      const changelog = lifecycle.own(
        await openChangelog(
          { directory: join(home, DATA_DIRS.changelog), segmentBytes: SEGMENT_BYTES },
          { logger },
        ),
      );
      const commit = lifecycle.own(
        await openStateCommit(
          {
            directory: join(home, DATA_DIRS.memiavl),
            stores: STORES,
            snapshotInterval: 1_000_000,
            snapshotKeepRecent: 0,
          },
          { changelog, logger },
        ),
      );
      const store = lifecycle.own(
        await openStateStore(
          { home, ...this.#layout, asyncWriteBuffer: 3, committedVersion: commit.version },
          { changelog, logger },
        ),
      );
      const history = lifecycle.own(
        await openHistory({ directory: join(home, DATA_DIRS.history) }, { changelog, logger }),
      );
      const directory = join(home, DATA_DIRS.flatKv);
      const started = new StartedFlatKv(() => engineHere(directory), { directory });
      const flatKv = lifecycle.own(await started.recover({ changelog, state: commit, logger }));
      this.#opened = { changelog, commit, store, history, flatKv, lifecycle };
    } catch (error) {
      await lifecycle.close();
      throw error;
    }
  }
}

function plain({ version, stores }: BlockChanges): unknown {
  return [
    version,
    stores.map(({ store, changes }) => [
      store,
      changes.map(({ key, value }) => [hexOf(key), value === null ? null : hexOf(value)]),
    ]),
  ];
}

function assertSame(found: Uint8Array | undefined, expected: Uint8Array | undefined, what: string): void {
  const show = (bytes: Uint8Array | undefined): string => (bytes ? `0x${hexOf(bytes)}` : 'nothing');
  assert.equal(show(found), show(expected), what);
}
