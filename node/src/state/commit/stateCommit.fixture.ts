import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, silentLogger, systemClock } from '@chain/platform';
import type { BlockChanges, KeyChange } from '../../types/index.ts';
import { type Changelog, openChangelog } from '../changelog/index.ts';
import { openStateCommit } from './openStateCommit.ts';
import type { StateCommit, StateCommitOptions } from './stateCommit.ts';

export const text = (value: string): Uint8Array => Uint8Array.from(Buffer.from(value, 'latin1'));
export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const NO_RECORD = new Uint8Array(0);

/** Block `version` of a history that anybody can recompute: sets, overwrites and deletes in two stores. */
export function blockAt(version: number): BlockChanges {
  const change = (store: number, i: number): KeyChange => {
    const id = (version * 7919 + i * 104729 + store * 31) % 400;
    const value = (version + i) % 5 === 0 ? null : text(`${version}:${i}`.repeat(1 + (i % 7)));
    return { key: text(`key-${String(id).padStart(4, '0')}`), value };
  };
  const changes = (store: number): KeyChange[] =>
    Array.from({ length: 20 }, (_, i) => change(store, i)).sort((a, b) => Buffer.compare(a.key, b.key));
  const stores = [{ store: 'bank', changes: changes(0) }];
  if (version % 3 !== 0) stores.push({ store: 'evm', changes: changes(1) });
  return { version, stores };
}

/** A directory with a changelog and a state commitment over it: opening again closes what was open. */
export class StateCommitFixture {
  readonly #options: Partial<StateCommitOptions>;
  directory = '';
  changelog!: Changelog;
  commit!: StateCommit;
  #open = false;

  constructor(options: Partial<StateCommitOptions> = {}) {
    this.#options = options;
  }

  begin(): void {
    this.directory = mkdtempSync(join(tmpdir(), 'state-commit-'));
  }

  get commitDirectory(): string {
    return join(this.directory, 'sc');
  }

  async open(options: Partial<StateCommitOptions> = {}, clock: Clock = systemClock): Promise<StateCommit> {
    await this.close();
    const logger = silentLogger;
    const changelog = await openChangelog(
      { directory: join(this.directory, 'log'), segmentBytes: 4000 },
      { logger },
    );
    try {
      this.commit = await openStateCommit(
        {
          directory: this.commitDirectory,
          stores: ['bank', 'evm'],
          snapshotInterval: 1_000_000,
          snapshotKeepRecent: 0,
          ...this.#options,
          ...options,
        },
        { changelog, logger, clock },
      );
    } catch (error) {
      await changelog.close();
      throw error;
    }
    this.changelog = changelog;
    this.#open = true;
    return this.commit;
  }

  /** Applies and logs a block as the chain does; returns its app hash in hex. */
  async block(changes: BlockChanges): Promise<string> {
    const hash = this.commit.apply(changes);
    await this.changelog.append({ changes, record: NO_RECORD });
    this.commit.maybeSnapshot();
    return hexOf(hash);
  }

  /** Blocks `from` … `to` of the common history; their app hashes. */
  async blocks(from: number, to: number): Promise<string[]> {
    const hashes: string[] = [];
    for (let version = from; version <= to; version++) hashes.push(await this.block(blockAt(version)));
    return hashes;
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.commit.close();
    await this.changelog.close();
  }

  async end(): Promise<void> {
    await this.close();
    rmSync(this.directory, { recursive: true });
  }
}
