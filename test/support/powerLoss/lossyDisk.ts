import {
  closeSync,
  copyFileSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Random } from '../random.ts';
import { applyChange, type NameChange, type Names, readJournal } from './journal.ts';

export interface Recording {
  /** The directory that was recorded, as the run left it. */
  readonly home: string;
  /** Removed files by inode number. */
  readonly graveyard: string;
  readonly journal: string;
}

/**
 * How much of what was not synced is lost: all of it; or an arbitrary part: files torn at any byte, pages of some
 * anywhere behind their last sync are zeros, for pages come to a disk in any order (of LevelDB's logs at the end), and
 * the first so many changes of names, in the order of a metadata journal.
 */
export type Loss = 'all' | 'some';

const PAGE = 4096;
/** What the check of a log at the start takes for a lost power is zeros at its end alone. */
const LEVELDB_LOG = '.log';

/**
 * The disk under a recorded run, at one moment after another. Data are safe once the file was synced; a name is
 * once its directory, or the file that it names, was (as ext4, XFS and Btrfs have it).
 */
export class LossyDisk {
  readonly #events: ReturnType<typeof readJournal>;
  readonly #sources = new Map<number, string>();
  readonly #live: Names = new Map();
  readonly #safe: Names = new Map();
  readonly #pending: NameChange[] = [];
  readonly #synced = new Map<number, number>();
  readonly #written = new Map<number, number>();
  #position = 0;
  /** The newest height that somebody outside had been told of at this moment. */
  announced = 0;

  constructor({ home, graveyard, journal }: Recording) {
    this.#events = readJournal(journal);
    for (const directory of [home, graveyard]) this.#collect(directory);
  }

  /** Moments there are. */
  get length(): number {
    return this.#events.length;
  }

  /** Goes on to the moment behind event `position`. */
  advance(position: number): void {
    while (this.#position < position) this.#apply(this.#events[this.#position++]!);
  }

  /** Makes what the power loss leaves in `target`, which must not exist. */
  restore(target: string, loss: Loss, random: Random): void {
    const names: Names = new Map(this.#safe);
    const kept = loss === 'all' ? 0 : random.below(this.#pending.length + 1);
    for (const change of this.#pending.slice(0, kept)) applyChange(names, change);
    mkdirSync(target);
    for (const [path, entry] of [...names].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const place = join(target, path);
      mkdirSync(entry === 'directory' ? place : dirname(place), { recursive: true });
      if (entry === 'directory') continue;
      if ('target' in entry) symlinkSync(entry.target, place);
      else this.#restoreFile(entry.inode, place, loss === 'some' ? random : undefined);
    }
  }

  #restoreFile(inode: number, place: string, random: Random | undefined): void {
    const source = this.#sources.get(inode);
    if (source === undefined) throw new RangeError(`inode ${inode} of ${place} is not kept`);
    const safe = this.#synced.get(inode) ?? 0;
    const written = Math.max(safe, this.#written.get(inode) ?? 0);
    const length = random ? safe + random.below(written - safe + 1) : safe;
    copyFileSync(source, place);
    const handle = openSync(place, 'r+');
    ftruncateSync(handle, length);
    const lost = place.endsWith(LEVELDB_LOG) ? lostEnd : lostPages;
    for (const [from, to] of random ? lost(safe, length, random) : []) {
      writeSync(handle, Buffer.alloc(to - from), 0, to - from, from);
    }
    closeSync(handle);
  }

  #apply(event: ReturnType<typeof readJournal>[number]): void {
    switch (event.kind) {
      case 'announced':
        this.announced = Math.max(this.announced, event.height);
        return;
      case 'sync':
        this.#synced.set(event.inode, event.size);
        this.#settle((change) => change.inode === event.inode);
        return;
      case 'grown':
        this.#written.set(event.inode, event.size);
        return;
      case 'cut':
        this.#written.set(event.inode, event.size);
        this.#synced.set(event.inode, Math.min(event.size, this.#synced.get(event.inode) ?? 0));
        return;
      case 'syncdir':
        this.#settle(
          (change) =>
            dirname(change.path) === event.path || ('from' in change && dirname(change.from) === event.path),
        );
        return;
      default:
        this.#change(event);
    }
  }

  #change(change: NameChange): void {
    const at = change.kind === 'rename' || change.kind === 'link' ? change.from : change.path;
    const entry = this.#live.get(at);
    const inode =
      change.inode ||
      (entry !== undefined && typeof entry === 'object' && 'inode' in entry ? entry.inode : 0);
    const known = this.#live.get(change.path);
    applyChange(this.#live, change);
    const again =
      change.kind === 'name' && typeof known === 'object' && 'inode' in known && known.inode === inode;
    if (!again) this.#pending.push({ ...change, inode });
  }

  /** Makes pending changes safe, in their order. */
  #settle(isSafe: (change: NameChange) => boolean): void {
    const left: NameChange[] = [];
    for (const change of this.#pending.splice(0)) {
      if (isSafe(change)) applyChange(this.#safe, change);
      else left.push(change);
    }
    this.#pending.push(...left);
  }

  #collect(directory: string): void {
    for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      this.#sources.set(statSync(path).ino, path);
    }
  }
}

/** Of half of the files none, of the others each page with the same chance; a page that was synced in part loses the rest. */
function* lostPages(safe: number, length: number, random: Random): Iterable<[from: number, to: number]> {
  const oneIn = random.below(2) === 0 ? 0 : 1 + random.below(16);
  if (oneIn === 0) return;
  for (let from = safe; from < length; from = (Math.floor(from / PAGE) + 1) * PAGE) {
    const to = Math.min(length, (Math.floor(from / PAGE) + 1) * PAGE);
    if (random.below(oneIn) === 0) yield [from, to];
  }
}

/** Of a fourth of the files some bytes at the end. */
function* lostEnd(safe: number, length: number, random: Random): Iterable<[from: number, to: number]> {
  if (random.below(4) === 0) yield [length - Math.min(length - safe, 1 + random.below(PAGE)), length];
}
