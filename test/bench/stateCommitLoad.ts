import { hash } from 'node:crypto';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { type Changelog, openChangelog } from '../../node/src/state/changelog/index.ts';
import { openStateCommit, type StateCommit } from '../../node/src/state/commit/index.ts';
import type { BlockChanges } from '../../node/src/types/index.ts';

const ADDRESSES = Array.from({ length: 997 }, (_, i) => hash('sha256', `address ${i}`, 'buffer'));

/** The reference's benchmark rows: EVM storage keys of 53 bytes, values of 32. */
export function benchKey(i: number): Uint8Array {
  const key = Buffer.alloc(53);
  key[0] = 3;
  ADDRESSES[i % ADDRESSES.length]!.copy(key, 1, 0, 20);
  hash('sha256', `slot ${i}`, 'buffer').copy(key, 21);
  return key;
}

/** The first `count` keys in ascending order. */
export function* benchKeysInOrder(count: number): Iterable<Uint8Array> {
  const byAddress = ADDRESSES.map((address, i) => ({ address, i }));
  byAddress.sort((a, b) => Buffer.compare(a.address, b.address));
  for (const { i: first } of byAddress) {
    const keys: Uint8Array[] = [];
    for (let i = first; i < count; i += ADDRESSES.length) keys.push(benchKey(i));
    yield* keys.sort(Buffer.compare);
  }
}

export function benchBlock(version: number, from: number, count: number): BlockChanges {
  const changes = Array.from({ length: count }, (_, i) => ({
    key: benchKey(from + i),
    value: Buffer.alloc(32, from + i + version),
  })).sort((a, b) => Buffer.compare(a.key, b.key));
  return { version, stores: [{ store: 'evm', changes }] };
}

export interface OpenedState {
  readonly changelog: Changelog;
  readonly commit: StateCommit;
  close(): Promise<void>;
}

export async function openBenchState(directory: string, provableVersions = 1): Promise<OpenedState> {
  const logger = silentLogger;
  const changelog = await openChangelog({ directory: join(directory, 'changelog') }, { logger });
  const commit = await openStateCommit(
    {
      directory: join(directory, 'committer.db'),
      stores: ['bank', 'evm'],
      snapshotInterval: 2 ** 32,
      snapshotKeepRecent: 0,
      provableVersions,
    },
    { changelog, logger },
  );
  const close = async (): Promise<void> => {
    await commit.close();
    await changelog.close();
  };
  return { changelog, commit, close };
}

/** Applies `keys` keys and logs them, without waiting for each sync. */
export async function grow(state: OpenedState, keys: number, perBlock: number, first = 0): Promise<void> {
  let logged: Promise<void> = Promise.resolve();
  for (let from = first; from < first + keys; from += perBlock) {
    const changes = benchBlock(state.commit.version + 1, from, perBlock);
    state.commit.apply(changes);
    await logged;
    logged = state.changelog.append({ changes, record: new Uint8Array(0) });
  }
  await logged;
}
