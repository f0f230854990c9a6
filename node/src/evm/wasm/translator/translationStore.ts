import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { CodedError } from '@chain/platform';
import { bytesToHex, equalBytes, sha256 } from '../../../primitives/index.ts';
import type { ForkedCode } from './forkedCode.ts';
import type { Translation } from './translate.ts';

const HASH_BYTES = 32;
const STAMP_LETTERS = 16;
const MAX_BYTES = 64 << 20;
/** All that a translation depends on besides the code, from here; a directory ends with a slash. */
const MAKERS = [
  './',
  '../memory/layout.ts',
  '../runtime/opcodeRules.ts',
  '../../instructions/',
  '../../fork/evmFork.ts',
  '../runtime/runtime.wasm',
];

/**
 * Translations in a directory, by code, fork and what made them; only a cache: whatever fails, fails silently, and a
 * damaged file is deleted. What is in it runs as code, so that nothing counts that another user made or everybody may
 * write: then there is no cache. A file is SHA-256 of the rest, u32 count of entries, two u32 for each, the module.
 */
export class TranslationStore {
  readonly #directory: string;
  readonly #maxBytes: number;
  readonly #user: number | undefined;
  readonly #stamp = stampOfMakers();

  constructor({
    directory,
    maxBytes = MAX_BYTES,
    user = process.getuid?.(),
  }: { readonly directory: string; readonly maxBytes?: number; readonly user?: number | undefined }) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
    this.#user = user;
  }

  /** Names of what is there and was made by these makers. */
  names(): ReadonlySet<string> {
    const listed = attempt(() => this.#list()) ?? [];
    return new Set(listed.filter((name) => name.endsWith(this.#stamp)));
  }

  nameOf({ code, fork }: ForkedCode): string {
    return `${bytesToHex(sha256(code))}-${fork}-${this.#stamp}`;
  }

  read(code: ForkedCode): Translation | undefined {
    const path = this.#pathOf(code);
    const file = attempt(() => this.#readOwn(path));
    if (!file) return undefined;
    const translation = decode(file);
    attempt(() => (translation ? utimesSync(path, new Date(), new Date()) : rmSync(path)));
    return translation;
  }

  keep(code: ForkedCode, translation: Translation): void {
    attempt(() => {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      this.#requireOwn(lstatSync(this.#directory));
      const path = this.#pathOf(code);
      const unfinished = `${path}.${process.pid}.${threadId}.new`;
      writeFileSync(unfinished, encode(translation));
      renameSync(unfinished, path);
      this.#makeRoom();
    });
  }

  #list(): string[] {
    this.#requireOwn(lstatSync(this.#directory));
    return readdirSync(this.#directory);
  }

  /** Judges the file that is then read, whatever takes its name meanwhile. */
  #readOwn(path: string): Uint8Array {
    this.#requireOwn(lstatSync(this.#directory));
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      this.#requireOwn(fstatSync(file));
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  }

  #requireOwn(found: Stats): void {
    if (isOwn(found, this.#user)) return;
    throw new CodedError('EVM_CACHE_FOREIGN', 'the cache of translations is of another user, and not used');
  }

  #pathOf(code: ForkedCode): string {
    return join(this.#directory, this.nameOf(code));
  }

  /** What was not used for longest goes first, also what older makers or a crash left. */
  #makeRoom(): void {
    const files = readdirSync(this.#directory).map((name) => {
      const path = join(this.#directory, name);
      const { size, mtimeMs } = statSync(path);
      return { path, size, mtimeMs };
    });
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (bytes <= this.#maxBytes) return;
    for (const { path, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (bytes <= (this.#maxBytes * 3) / 4) return;
      rmSync(path);
      bytes -= size;
    }
  }
}

/** A group is that of a pod's volume, which the kubelet sets: its members are of this node. */
function isOwn(found: Stats, user: number | undefined): boolean {
  if (found.isSymbolicLink()) return false;
  return user === undefined || (found.uid === user && (found.mode & constants.S_IWOTH) === 0);
}

function stampOfMakers(): string {
  const hash = createHash('sha256');
  for (const maker of MAKERS) {
    const at = new URL(maker, import.meta.url);
    const files = maker.endsWith('/') ? sourcesIn(at) : [at];
    for (const file of files) hash.update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, STAMP_LETTERS);
}

function sourcesIn(directory: URL): URL[] {
  const names = readdirSync(directory).filter((name) => !name.endsWith('.test.ts'));
  return names.sort().map((name) => new URL(name, directory));
}

function encode({ module, entries }: Translation): Uint8Array {
  const numbers = Uint32Array.from([entries.size, ...[...entries].flat()]);
  const rest = Buffer.concat([new Uint8Array(numbers.buffer), module]);
  return Buffer.concat([sha256(rest), rest]);
}

function decode(file: Uint8Array): Translation | undefined {
  if (file.length < HASH_BYTES + 4) return undefined;
  const rest = Uint8Array.from(file.subarray(HASH_BYTES));
  if (!equalBytes(sha256(rest), file.subarray(0, HASH_BYTES))) return undefined;
  const view = new DataView(rest.buffer);
  const count = view.getUint32(0, true);
  const entries = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    entries.set(view.getUint32(4 + 8 * i, true), view.getUint32(8 + 8 * i, true));
  }
  return { module: rest.subarray(4 + 8 * count), entries };
}

/** What it gives, or nothing when it throws. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
