import { readSync } from 'node:fs';
import { checkPage, damagedFile, type FlatFile, PAGE_BYTES } from './flatFiles.ts';

/** Pages that are read at once where a file is read from end to end. */
const RANGE_PAGES = 16;

/** Pages of files in memory under one budget; the second-chance clock decides which page goes. */
export class PageCache {
  readonly #budget: number;
  readonly #pages: LoadedPage[] = [];
  #bytes = 0;
  #hand = 0;

  constructor(budgetBytes: number) {
    this.#budget = budgetBytes;
  }

  add(page: LoadedPage): void {
    this.#bytes += page.bytes.length;
    while (this.#bytes > this.#budget && this.#pages.length > 0) this.#evictOne();
    this.#pages.push(page);
  }

  /** Drops every page of `file`. */
  drop(file: PagedFile): void {
    let kept = 0;
    for (const page of this.#pages) {
      if (page.file === file) this.#bytes -= page.bytes.length;
      else this.#pages[kept++] = page;
    }
    this.#pages.length = kept;
    this.#hand = 0;
  }

  #evictOne(): void {
    for (;;) {
      this.#hand = this.#hand < this.#pages.length ? this.#hand : 0;
      const page = this.#pages[this.#hand]!;
      if (!page.used) {
        page.file.forget(page.index);
        this.#bytes -= page.bytes.length;
        this.#pages[this.#hand] = this.#pages.at(-1)!;
        this.#pages.pop();
        return;
      }
      page.used = false;
      this.#hand++;
    }
  }
}

export interface LoadedPage {
  readonly file: PagedFile;
  readonly index: number;
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  used: boolean;
}

/** A file read by pages on demand, each checked when it is read. Holes in `#loaded` are pages not in memory. */
export class PagedFile {
  readonly #file: FlatFile;
  readonly #cache: PageCache;
  readonly #loaded: (LoadedPage | undefined)[];

  constructor(file: FlatFile, cache: PageCache) {
    this.#file = file;
    this.#cache = cache;
    this.#loaded = new Array(Math.ceil(file.size / PAGE_BYTES)).fill(undefined);
  }

  page(index: number): LoadedPage {
    const page = this.#loaded[index] ?? this.#load(index);
    page.used = true;
    return page;
  }

  /** A copy of any range. */
  read(offset: number, length: number): Uint8Array {
    if (length === 0) return new Uint8Array(0);
    const index = Math.floor(offset / PAGE_BYTES);
    const from = offset - index * PAGE_BYTES;
    if (from + length <= PAGE_BYTES) return this.page(index).bytes.slice(from, from + length);
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; ) {
      const page = this.page(Math.floor((offset + at) / PAGE_BYTES)).bytes;
      const part = page.subarray((offset + at) % PAGE_BYTES, ((offset + at) % PAGE_BYTES) + (length - at));
      if (part.length === 0) break;
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  forget(index: number): void {
    this.#loaded[index] = undefined;
  }

  close(): void {
    this.#cache.drop(this);
    this.#loaded.fill(undefined);
  }

  #load(index: number): LoadedPage {
    const start = index * PAGE_BYTES;
    const bytes = new Uint8Array(Math.max(0, Math.min(PAGE_BYTES, this.#file.size - start)));
    readFully(this.#file.handle, bytes, start);
    checkPage(this.#file, index, bytes);
    const words = new Int32Array(bytes.buffer, 0, bytes.length >>> 2);
    const page = { file: this, index, bytes, words, used: true };
    this.#loaded[index] = page;
    this.#cache.add(page);
    return page;
  }
}

/**
 * Any range in parts, each page checked. Parts end where pages end; their bytes are the caller's until the next.
 * Throws STATE_COMMIT_SNAPSHOT_DAMAGED.
 */
export function* checkedParts(file: FlatFile, start: number, end: number): Iterable<Buffer> {
  const first = Math.floor(start / PAGE_BYTES);
  const pages = Math.min(RANGE_PAGES, Math.ceil(end / PAGE_BYTES) - first);
  const buffer = Buffer.allocUnsafe(Math.max(0, pages) * PAGE_BYTES);
  for (let offset = start; offset < end; ) {
    const page = Math.floor(offset / PAGE_BYTES);
    const from = page * PAGE_BYTES;
    const filled = buffer.subarray(0, Math.min(buffer.length, file.size - from));
    readFully(file.handle, filled, from);
    for (let at = 0; at < filled.length && from + at < end; at += PAGE_BYTES) {
      checkPage(file, page + at / PAGE_BYTES, filled.subarray(at, at + PAGE_BYTES));
    }
    const part = filled.subarray(offset - from, Math.min(end - from, filled.length));
    if (part.length === 0) throw damagedFile(file.path, `ends at ${file.size}, before ${end}`);
    offset += part.length;
    yield part;
  }
}

/** Reads the whole range; sizes were checked when the snapshot was opened. */
function readFully(handle: number, into: Uint8Array, offset: number): void {
  let filled = 0;
  while (filled < into.length) {
    const got = readSync(handle, into, filled, into.length - filled, offset + filled);
    if (got === 0) break;
    filled += got;
  }
}
