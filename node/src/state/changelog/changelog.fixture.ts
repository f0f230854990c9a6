import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { type Changelog, openChangelog } from './changelog.ts';
import type { ChangelogEntry } from './entryCodec.ts';

export const entryAt = (version: number, size = 10): ChangelogEntry => {
  const key = Uint8Array.from(Buffer.from(`key${version}`));
  const value = new Uint8Array(size).fill(version);
  return {
    changes: { version, stores: [{ store: 'bank', changes: [{ key, value }] }] },
    record: Uint8Array.from(Buffer.from(`record ${version}`)),
  };
};
export const versionsOf = (entries: Iterable<ChangelogEntry>): number[] =>
  [...entries].map(({ changes }) => changes.version);
export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);
export async function fill(log: Changelog, from: number, to: number): Promise<void> {
  await Promise.all(range(from, to).map((version) => log.append(entryAt(version))));
}

/** A directory for each test, and its log: opening again closes what was open. */
export class LogFixture {
  directory = '';
  #opened: Changelog | undefined;

  begin(): void {
    this.directory = mkdtempSync(join(tmpdir(), 'changelog-'));
  }

  async end(): Promise<void> {
    await this.close();
    rmSync(this.directory, { recursive: true });
  }

  async open(segmentBytes = 1 << 20): Promise<Changelog> {
    await this.close();
    this.#opened = await openChangelog({ directory: this.directory, segmentBytes }, { logger: silentLogger });
    return this.#opened;
  }

  async close(): Promise<void> {
    const closing = this.#opened;
    this.#opened = undefined;
    await closing?.close();
  }
}
