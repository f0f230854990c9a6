import { compareWith } from './compareWith.ts';
import { Fences } from './fences.ts';
import {
  closeFlatFile,
  damagedFile,
  type FlatFile,
  MAX_LEAVES,
  openFlatFile,
  PAGE_BYTES,
  RECORD_BYTES,
  readTreeMetadata,
} from './flatFiles.ts';
import { type LoadedPage, type PageCache, PagedFile } from './pageCache.ts';

const RECORD_WORDS = RECORD_BYTES / 4;
/** 256 records a page: a record never straddles two. */
const PAGE_RECORDS = PAGE_BYTES / RECORD_BYTES;

export interface TreeFiles {
  readonly leaves: FlatFile;
  readonly nodes: FlatFile;
  readonly kvs: FlatFile;
}

export interface OpenedTree {
  readonly version: number;
  readonly files: TreeFiles;
}

/** One store's tree in a snapshot, read from its flat files by record index. Leaves are in key order. */
export class PersistedTree {
  readonly directory: string;
  readonly version: number;
  readonly leafCount: number;
  readonly branchCount: number;
  readonly files: TreeFiles;
  readonly #leaves: PagedFile;
  readonly #nodes: PagedFile;
  readonly #kvs: PagedFile;
  readonly #fences: Fences;
  #closed = false;

  /**
   * Opens and checks sizes; throws STATE_COMMIT_SNAPSHOT_DAMAGED naming the file. `opened`: the files as another
   * thread has them open, which may no longer have a name; that thread keeps them open, and closes them.
   */
  constructor(directory: string, cache: PageCache, opened?: OpenedTree) {
    this.directory = directory;
    this.version = opened?.version ?? readTreeMetadata(directory);
    this.files = opened?.files ?? {
      leaves: openFlatFile(directory, 'leaves'),
      nodes: openFlatFile(directory, 'nodes'),
      kvs: openFlatFile(directory, 'kvs'),
    };
    const { leaves, nodes, kvs } = this.files;
    this.#leaves = new PagedFile(leaves, cache);
    this.#nodes = new PagedFile(nodes, cache);
    this.#kvs = new PagedFile(kvs, cache);
    this.leafCount = leaves.size / RECORD_BYTES;
    this.branchCount = nodes.size / RECORD_BYTES;
    this.#fences = new Fences(this.leafCount, (leaf) => this.key(leaf));
    this.#checkSizes();
  }

  leafVersion(leaf: number): number {
    return this.#leafPage(leaf).words[wordOf(leaf)]! >>> 0;
  }

  keyLength(leaf: number): number {
    return this.#leafPage(leaf).words[wordOf(leaf) + 1]!;
  }

  /** Where the leaf's record begins in `kvs`: its key length. */
  kvsOffset(leaf: number): number {
    const { words } = this.#leafPage(leaf);
    const word = wordOf(leaf);
    return (words[word + 2]! >>> 0) + words[word + 3]! * 2 ** 32;
  }

  key(leaf: number): Uint8Array {
    return this.#kvs.read(this.kvsOffset(leaf) + 4, this.keyLength(leaf));
  }

  value(leaf: number): Uint8Array {
    const offset = this.kvsOffset(leaf) + 4 + this.keyLength(leaf);
    return this.#kvs.read(offset + 4, this.#kvsLength(offset));
  }

  /** Byte order of `key` against the leaf's key. */
  compareKey(key: Uint8Array, leaf: number): number {
    const { words } = this.#leafPage(leaf);
    const word = wordOf(leaf);
    const length = words[word + 1]!;
    const offset = (words[word + 2]! >>> 0) + words[word + 3]! * 2 ** 32 + 4;
    const index = Math.floor(offset / PAGE_BYTES);
    const within = offset - index * PAGE_BYTES;
    if (within + length > PAGE_BYTES) return compareWith(key, this.key(leaf), 0, length);
    return compareWith(key, this.#kvs.page(index).bytes, within, length);
  }

  /** First leaf whose key is ≥ `key`; the number of leaves when there is none. */
  lowerBound(key: Uint8Array): number {
    let [first, last] = this.#fences.around(key);
    while (first < last) {
      const middle = (first + last) >>> 1;
      if (this.compareKey(key, middle) > 0) first = middle + 1;
      else last = middle;
    }
    return first;
  }

  branchHeight(branch: number): number {
    return this.#nodePage(branch).words[wordOf(branch)]! & 0xff;
  }

  preTrees(branch: number): number {
    return (this.#nodePage(branch).words[wordOf(branch)]! >>> 8) & 0xff;
  }

  branchVersion(branch: number): number {
    return this.#nodePage(branch).words[wordOf(branch) + 1]! >>> 0;
  }

  branchSize(branch: number): number {
    return this.#nodePage(branch).words[wordOf(branch) + 2]!;
  }

  keyLeaf(branch: number): number {
    return this.#nodePage(branch).words[wordOf(branch) + 3]!;
  }

  leafHashPage(leaf: number): Uint8Array {
    return this.#leafPage(leaf).bytes;
  }

  branchHashPage(branch: number): Uint8Array {
    return this.#nodePage(branch).bytes;
  }

  /** Idempotent. Whoever still holds references must not read afterwards. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const file of [this.#leaves, this.#nodes, this.#kvs]) file.close();
    for (const file of Object.values(this.files)) closeFlatFile(file);
  }

  #leafPage(leaf: number): LoadedPage {
    return this.#leaves.page(leaf >>> 8);
  }

  #nodePage(branch: number): LoadedPage {
    return this.#nodes.page(branch >>> 8);
  }

  #kvsLength(offset: number): number {
    const [a, b, c, d] = this.#kvs.read(offset, 4) as unknown as [number, number, number, number];
    return a + b * 2 ** 8 + c * 2 ** 16 + d * 2 ** 24;
  }

  /** Truncation shows in sizes: records are whole and paired, and the last leaf ends where `kvs` ends. */
  #checkSizes(): void {
    const { leaves, nodes, kvs } = this.files;
    for (const file of [leaves, nodes]) {
      if (file.size % RECORD_BYTES !== 0) throw this.#damaged(file, 'is cut short');
    }
    if (this.leafCount > MAX_LEAVES) throw this.#damaged(leaves, 'holds more leaves than this program can');
    if (this.branchCount !== Math.max(0, this.leafCount - 1)) {
      throw this.#damaged(nodes, `holds ${this.branchCount} nodes for ${this.leafCount} leaves`);
    }
    if (kvs.size !== this.#expectedKvsSize()) throw this.#damaged(kvs, 'does not end with the last leaf');
  }

  #expectedKvsSize(): number {
    if (this.leafCount === 0) return 0;
    const last = this.leafCount - 1;
    const valueOffset = this.kvsOffset(last) + 4 + this.keyLength(last);
    if (valueOffset + 4 > this.files.kvs.size) return -1;
    return valueOffset + 4 + this.#kvsLength(valueOffset);
  }

  #damaged(file: FlatFile, why: string): Error {
    this.close();
    return damagedFile(file.path, why);
  }
}

/** Index of a record's first word in its page. */
const wordOf = (record: number): number => (record & (PAGE_RECORDS - 1)) * RECORD_WORDS;
/** Index of a record's hash in its page. */
export const hashByteOf = (record: number): number => (record & (PAGE_RECORDS - 1)) * RECORD_BYTES + 16;
