import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { blockEndOf, FIRST, FULL, fragmentAt, HEADER_BYTES, isTrailer, LAST } from './logFragments.ts';

/** Fields of a version edit (LevelDB, db/version_edit.cc), by what they hold. */
const NUMBERS = new Set([2, 3, 4, 9]);
const MANIFEST = /^MANIFEST-\d+$/;
const COMPARATOR = 1;
const COMPACT_POINTER = 5;
const DELETED_FILE = 6;
const NEW_FILE = 7;

/**
 * Numbers of the tables that the database's manifest names. Others are halves of a compaction that a crash ended:
 * LevelDB removes them when it opens. A manifest that ends early is LevelDB's to refuse; what it said until there
 * counts. `undefined` where CURRENT names none.
 */
export async function liveTables(directory: string): Promise<ReadonlySet<number> | undefined> {
  const live = new Set<number>();
  const current = join(directory, 'CURRENT');
  if (!existsSync(current)) return live;
  const name = (await readFile(current, 'latin1')).trim();
  const manifest = join(directory, name);
  if (!MANIFEST.test(name)) return undefined;
  if (!existsSync(manifest)) return live;
  for (const edit of recordsOf(await readFile(manifest))) applyEdit(edit, live);
  return live;
}

/** Whole records of a log, their fragments joined. */
function* recordsOf(file: Buffer): Generator<Buffer> {
  let parts: Buffer[] = [];
  for (let at = 0; at < file.length; ) {
    if (isTrailer(at)) {
      at = blockEndOf(at);
      continue;
    }
    const fragment = fragmentAt(file, at);
    if (!fragment) return;
    if (fragment.type <= FIRST) parts = [];
    parts.push(file.subarray(at + HEADER_BYTES, fragment.end));
    if (fragment.type === FULL || fragment.type === LAST) yield Buffer.concat(parts);
    at = fragment.end;
  }
}

function applyEdit(edit: Buffer, live: Set<number>): void {
  const reader = new EditReader(edit);
  while (reader.more) {
    const tag = reader.number();
    if (NUMBERS.has(tag)) reader.number();
    else if (tag === COMPARATOR) reader.skipBytes();
    else if (tag === COMPACT_POINTER) {
      reader.number();
      reader.skipBytes();
    } else if (tag === DELETED_FILE) {
      reader.number();
      live.delete(reader.number());
    } else if (tag === NEW_FILE) {
      reader.number();
      live.add(reader.number());
      reader.number();
      reader.skipBytes();
      reader.skipBytes();
    } else return;
  }
}

class EditReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get more(): boolean {
    return this.#at < this.#bytes.length;
  }

  /** A varint; numbers of files and lengths stay far below 2^53. */
  number(): number {
    let value = 0;
    for (let scale = 1; this.more; scale *= 128) {
      const byte = this.#bytes[this.#at++]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
    }
    return value;
  }

  skipBytes(): void {
    const length = this.number();
    this.#at += length;
  }
}
