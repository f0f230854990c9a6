import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BlockChanges, KeyChange } from '../../../types/index.ts';
import { exportState, type StateSink } from '../export/exportState.ts';
import { leafKeyOf, leafOf, leafValueOf } from '../export/leafPlace.ts';
import { blockAt, hexOf, StateCommitFixture, text } from '../stateCommit.fixture.ts';
import type { StateCommit } from '../stateCommit.ts';
import { CommitImporter, publishImport } from './commitImporter.ts';

const fixture = new StateCommitFixture();
beforeEach(() => fixture.begin());
afterEach(() => fixture.end());
const STORES = ['bank', 'evm'];
const MAX_LEAVES = Number(process.env.IMPORT_LEAVES ?? 9_000);

function exportInto(commit: StateCommit, sink: StateSink): void {
  const { frozen, release } = commit.freeze();
  try {
    // As another thread gets it.
    for (const _ of exportState(structuredClone(frozen), sink));
  } finally {
    release();
  }
}

/** Exports into a new directory and gives the app hash that the import came to. */
async function copyTo(directory: string, commit: StateCommit): Promise<string> {
  const importer = new CommitImporter({ directory, version: commit.version, stores: STORES });
  exportInto(commit, importer);
  const appHash = importer.finish();
  await publishImport({ directory, version: commit.version });
  return hexOf(appHash);
}

function filesIn(snapshot: string): Record<string, string> {
  const files = readdirSync(snapshot, { recursive: true, encoding: 'utf8' });
  const flat = files.filter((file) => !STORES.includes(file) && file !== '__metadata').sort();
  return Object.fromEntries(flat.map((file) => [file, hash('sha256', readFileSync(join(snapshot, file)))]));
}

describe('an exported and imported state', () => {
  it('has the files that a snapshot has, from memory, from files, and from both', async () => {
    const commit = await fixture.open();
    for (const step of ['memory', 'files', 'both']) {
      const next = commit.version + 1;
      if (step !== 'files') await fixture.blocks(next, next + (step === 'both' ? 2 : 40));
      const copy = join(fixture.directory, step);
      expect(await copyTo(copy, commit)).toBe(hexOf(commit.appHash));
      await commit.snapshotNow();
      expect(filesIn(join(copy, 'current'))).toEqual(filesIn(join(fixture.commitDirectory, 'current')));
    }
  });

  it('is the version that was frozen, whatever is written and snapshotted meanwhile', async () => {
    const commit = await fixture.open({ snapshotKeepRecent: 0 });
    await fixture.blocks(1, 30);
    await commit.snapshotNow();
    await fixture.blocks(31, 35);
    const expected = hexOf(commit.appHash);
    const { frozen, release } = commit.freeze();
    await fixture.blocks(36, 60);
    await commit.snapshotNow();
    await fixture.blocks(61, 70);
    const importer = new CommitImporter({
      directory: join(fixture.directory, 'copy'),
      version: 35,
      stores: STORES,
    });
    for (const _ of exportState(structuredClone(frozen), importer));
    release();
    expect(hexOf(importer.finish())).toBe(expected);
  });

  it('goes on as the original does', async () => {
    const commit = await fixture.open();
    await fixture.blocks(1, 50);
    const copy = join(fixture.directory, 'copy');
    await copyTo(copy, commit);
    const expected = await fixture.blocks(51, 60);
    const restored = new StateCommitFixture();
    restored.begin();
    const imported = await restored.open({ directory: copy });
    expect(imported.version).toBe(50);
    expect(await restored.blocks(51, 60)).toEqual(expected);
    const reopened = await restored.open({ directory: copy });
    expect(hexOf(reopened.appHash)).toBe(expected.at(-1));
    await restored.end();
  });

  it(`equals the original for any tree of up to ${MAX_LEAVES} leaves`, async () => {
    const arbitrary = fc.record({
      seed: fc.integer({ min: 0, max: 1000 }),
      leaves: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constant(4_100), fc.constant(MAX_LEAVES)),
    });
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ seed, leaves }) => {
        const home = new StateCommitFixture();
        home.begin();
        const commit = await home.open();
        await home.block(manyLeaves(seed, leaves));
        await home.block({ version: 2, stores: [] });
        const copy = join(home.directory, 'copy');
        expect(await copyTo(copy, commit)).toBe(hexOf(commit.appHash));
        await commit.snapshotNow();
        expect(filesIn(join(copy, 'current'))).toEqual(filesIn(join(home.commitDirectory, 'current')));
        await home.end();
      }),
      { numRuns: 4 },
    );
  });
});

/** The calls of an export, to be made again. */
function callsOf(commit: StateCommit): ((sink: StateSink) => void)[] {
  const calls: ((sink: StateSink) => void)[] = [];
  exportInto(commit, {
    store: (name) => calls.push((it) => it.store(name)),
    leaf: (leaf) => {
      const kept = leafOf(Uint8Array.from(leafKeyOf(leaf)), Uint8Array.from(leafValueOf(leaf)), leaf.version);
      calls.push((it) => it.leaf(kept));
    },
    branch: (...node) => calls.push((it) => it.branch(...node)),
  });
  return calls;
}

describe('an import that is cut short', () => {
  it('goes on from any position it has noted, with the same files', async () => {
    const commit = await fixture.open();
    await fixture.block(manyLeaves(1, 9_000));
    await fixture.blocks(2, 3);
    await commit.snapshotNow();
    const expected = filesIn(join(fixture.commitDirectory, 'current'));
    const calls = callsOf(commit);
    const place = fc.nat({ max: calls.length });
    let copies = 0;
    await fc.assert(
      fc.asyncProperty(place, place, fc.boolean(), async (one, other, finished) => {
        const directory = join(fixture.directory, `copy-${copies++}`);
        const options = { directory, version: commit.version, stores: STORES };
        const [noted, reached] = [Math.min(one, other), finished ? calls.length : Math.max(one, other)];
        const first = new CommitImporter(options);
        for (const call of calls.slice(0, noted)) call(first);
        const from = JSON.parse(JSON.stringify(first.checkpoint()));
        for (const call of calls.slice(noted, reached)) call(first);
        // All but the marker that says so in the journal.
        if (finished) {
          first.finish();
          await publishImport(options);
        }
        const second = new CommitImporter({ ...options, from });
        for (const call of calls.slice(noted)) call(second);
        expect(hexOf(second.finish())).toBe(hexOf(commit.appHash));
        await publishImport(options);
        expect(filesIn(join(directory, 'current'))).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });
});

function manyLeaves(seed: number, leaves: number): BlockChanges {
  const changes = Array.from({ length: leaves }, (_, i): KeyChange => {
    const id = (Math.imul(i + seed, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
    return { key: text(`${id}${'k'.repeat(i % 40)}`), value: text('v'.repeat((i * 7) % 700)) };
  }).sort((a, b) => Buffer.compare(a.key, b.key));
  return { version: 1, stores: [{ store: 'evm', changes }] };
}

describe('nodes that make no tree', () => {
  const build = (work: (importer: CommitImporter) => unknown): unknown => {
    const importer = new CommitImporter({
      directory: join(fixture.directory, 'copy'),
      version: 9,
      stores: STORES,
    });
    return work(importer);
  };
  const nothing = text('');
  const cases: Record<string, (importer: CommitImporter) => unknown> = {
    'a node before the first store': (it) => it.leaf(leafOf(text('a'), nothing, 1)),
    'an unknown store': (it) => it.store('wasm'),
    'a store twice': (it) => [it.store('evm'), it.store('bank'), it.store('evm')],
    'a branch before its children': (it) => [it.store('evm'), it.branch(1, 1)],
    'keys out of order': (it) => [
      it.store('evm'),
      it.leaf(leafOf(text('b'), nothing, 1)),
      it.leaf(leafOf(text('a'), nothing, 1)),
    ],
    'a key twice': (it) => [
      it.store('evm'),
      it.leaf(leafOf(text('b'), nothing, 1)),
      it.leaf(leafOf(text('b'), nothing, 1)),
    ],
    'a version above its own': (it) => [it.store('evm'), it.leaf(leafOf(text('b'), nothing, 10))],
    'a wrong height': (it) => [
      it.store('evm'),
      it.leaf(leafOf(text('a'), nothing, 1)),
      it.leaf(leafOf(text('b'), nothing, 1)),
      it.branch(2, 1),
    ],
    'leaves without a branch': (it) => [
      it.store('evm'),
      it.leaf(leafOf(text('a'), nothing, 1)),
      it.leaf(leafOf(text('b'), nothing, 1)),
      it.finish(),
    ],
    'endless leaves': (it) => {
      it.store('evm');
      for (let i = 0; i < 1000; i++) it.leaf(leafOf(Uint8Array.of(i >> 8, i), nothing, 1));
    },
  };
  it.each(Object.keys(cases))('%s', (name) => {
    expect(() => build(cases[name]!)).toThrow(expect.objectContaining({ code: 'STATE_COMMIT_IMPORT' }));
  });

  it('leave nothing that a start would take for a snapshot', async () => {
    const directory = join(fixture.directory, 'copy');
    const importer = new CommitImporter({ directory, version: 9, stores: STORES });
    importer.store('evm');
    importer.leaf(leafOf(text('a'), nothing, 1));
    const commit = await fixture.open({ directory });
    expect(commit.version).toBe(0);
    expect(await fixture.block(blockAt(1))).toHaveLength(64);
  });
});
