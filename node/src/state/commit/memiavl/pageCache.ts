import { readSync } from 'node:fs';

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

/** A file read by pages on demand. Holes in `#loaded` are pages not in memory. */
export class PagedFile {
  readonly size: number;
  readonly pageBytes: number;
  readonly #handle: number;
  readonly #cache: PageCache;
  readonly #loaded: (LoadedPage | undefined)[];

  constructor(options: { handle: number; size: number; pageBytes: number }, cache: PageCache) {
    this.#handle = options.handle;
    this.size = options.size;
    this.pageBytes = options.pageBytes;
    this.#cache = cache;
    this.#loaded = new Array(Math.ceil(options.size / options.pageBytes)).fill(undefined);
  }

  page(index: number): LoadedPage {
    const page = this.#loaded[index] ?? this.#load(index);
    page.used = true;
    return page;
  }

  /** A copy of any range. */
  read(offset: number, length: number): Uint8Array {
    if (length === 0) return new Uint8Array(0);
    const index = Math.floor(offset / this.pageBytes);
    const from = offset - index * this.pageBytes;
    if (from + length <= this.pageBytes) return this.page(index).bytes.slice(from, from + length);
    const bytes = new Uint8Array(length);
    readFully(this.#handle, bytes, offset);
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
    const start = index * this.pageBytes;
    const bytes = new Uint8Array(Math.min(this.pageBytes, this.size - start));
    readFully(this.#handle, bytes, start);
    const words = new Int32Array(bytes.buffer, 0, bytes.length >>> 2);
    const page = { file: this, index, bytes, words, used: true };
    this.#loaded[index] = page;
    this.#cache.add(page);
    return page;
  }
}

/** Reads the whole range; sizes were checked when the snapshot was opened. */
export function readFully(handle: number, into: Uint8Array, offset: number): void {
  let filled = 0;
  while (filled < into.length) {
    const got = readSync(handle, into, filled, into.length - filled, offset + filled);
    if (got === 0) break;
    filled += got;
  }
}
