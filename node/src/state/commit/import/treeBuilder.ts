import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesToHex, hexToBytes } from '../../../primitives/index.ts';
import { syncDirectory } from '../../changelog/index.ts';
import { encodeTreeMetadata, MAX_LEAVES, RECORD_BYTES } from '../memiavl/flatFiles.ts';
import { EMPTY_ROOT } from '../memiavl/tree.ts';
import { BufferedFile, type FilePosition } from '../snapshot/bufferedFile.ts';
import { lostPosition, malformed } from './malformedStream.ts';
import type { NodeWindow } from './nodeWindow.ts';

/** A subtree that no branch has taken in yet. */
interface Subtree {
  slot: number;
  readonly height: number;
  readonly size: number;
  /** Index of its first leaf, and leaves less branches before it (state.md §1.5). */
  readonly firstLeaf: number;
  readonly preTrees: number;
}

/** How far a tree is built and durable, as plain values; byte strings in hex. */
export interface TreePosition {
  readonly leaves: number;
  readonly branches: number;
  /** Absent before the first leaf. */
  readonly lastKey?: string;
  readonly subtrees: readonly (Omit<Subtree, 'slot'> & { readonly hash: string })[];
  readonly files: Readonly<Record<FlatName, FilePosition>>;
}
const FLAT_NAMES = ['kvs', 'leaves', 'nodes'] as const;
type FlatName = (typeof FLAT_NAMES)[number];

/** `preTrees` is one byte. */
const MAX_SUBTREES = 255;

/**
 * Builds the flat files of one store from its nodes in post-order, with memory that does not grow with the tree:
 * a stack of subtrees, and a window of nodes that wait for their hashes. Throws STATE_COMMIT_IMPORT.
 */
export class TreeBuilder {
  readonly #directory: string;
  readonly #version: number;
  readonly #window: NodeWindow;
  readonly #kvs: BufferedFile;
  readonly #leafFile: BufferedFile;
  readonly #nodeFile: BufferedFile;
  readonly #stack: Subtree[] = [];
  #leaves = 0;
  #branches = 0;
  #lastKey: Buffer = Buffer.alloc(64);
  #lastKeyLength = -1;

  /** Begins a tree; with `from`, goes on behind what lies in the directory. Throws STATE_COMMIT_IMPORT_POSITION. */
  constructor(
    options: { readonly directory: string; readonly version: number; readonly from?: TreePosition },
    window: NodeWindow,
  ) {
    const { directory, from } = options;
    if (from === undefined) mkdirSync(directory);
    // Of a tree that was finished behind the position.
    else rmSync(join(directory, 'metadata'), { force: true });
    this.#directory = directory;
    this.#version = options.version;
    this.#window = window;
    const open = (name: FlatName) => openFlat(join(directory, name), from?.files[name]);
    this.#kvs = open('kvs');
    this.#leafFile = open('leaves');
    this.#nodeFile = open('nodes');
    if (from !== undefined) this.#goOn(from);
  }

  /** Makes all nodes so far durable. */
  checkpoint(): TreePosition {
    this.#turn();
    const { hashes } = this.#window;
    const subtrees = this.#stack.map(({ slot, ...rest }) => ({
      ...rest,
      hash: bytesToHex(hashes.subarray(32 * slot, 32 * slot + 32)),
    }));
    const files = { kvs: this.#kvs.sync(), leaves: this.#leafFile.sync(), nodes: this.#nodeFile.sync() };
    syncDirectory(this.#directory);
    const begun = this.#lastKeyLength >= 0;
    return {
      leaves: this.#leaves,
      branches: this.#branches,
      ...(begun && { lastKey: bytesToHex(this.#lastKey.subarray(0, this.#lastKeyLength)) }),
      subtrees,
      files,
    };
  }

  leaf(key: Uint8Array, value: Uint8Array, version: number): void {
    this.#checkOrder(key);
    if (version > this.#version) throw malformed(`a leaf is of version ${version}, above ${this.#version}`);
    if (this.#leaves >= MAX_LEAVES || this.#stack.length >= MAX_SUBTREES) {
      throw malformed(`${this.#stack.length} subtrees stand side by side at leaf ${this.#leaves}`);
    }
    if (this.#window.isFull) this.#turn();
    const slot = this.#window.leaf(key, value);
    const offset = this.#kvs.length;
    this.#kvs.uint32(key.length);
    this.#kvs.bytes(key);
    this.#kvs.uint32(value.length);
    this.#kvs.bytes(value);
    const { words } = this.#window;
    words[4 * slot] = version;
    words[4 * slot + 1] = key.length;
    words[4 * slot + 2] = offset % 2 ** 32;
    words[4 * slot + 3] = Math.floor(offset / 2 ** 32);
    const preTrees = this.#leaves - this.#branches;
    this.#stack.push({ slot, height: 0, size: 1, firstLeaf: this.#leaves++, preTrees });
  }

  branch(height: number, version: number): void {
    if (this.#window.isFull) this.#turn();
    const right = this.#stack.pop();
    const left = this.#stack.pop();
    if (left === undefined || right === undefined) throw malformed('a branch comes before its children');
    if (height !== Math.max(left.height, right.height) + 1 || version > this.#version) {
      throw malformed(
        `a branch of height ${height} and version ${version} stands on ${left.height} and ${right.height}`,
      );
    }
    const size = left.size + right.size;
    const slot = this.#window.branch(left.slot, right.slot, height);
    const { firstLeaf, preTrees } = left;
    const { words } = this.#window;
    words[4 * slot] = height | (preTrees << 8);
    words[4 * slot + 1] = version;
    words[4 * slot + 2] = size;
    words[4 * slot + 3] = right.firstLeaf;
    this.#branches++;
    this.#stack.push({ slot, height, size, firstLeaf, preTrees });
  }

  /** Completes the files, synced, and gives the root's hash. */
  finish(): Uint8Array {
    if (this.#stack.length > 1) throw malformed(`ends with ${this.#stack.length} trees instead of one`);
    this.#turn();
    const root = this.#stack[0];
    const hash = root ? this.#window.hashes.slice(32 * root.slot, 32 * root.slot + 32) : EMPTY_ROOT;
    this.#window.clear();
    for (const file of [this.#kvs, this.#leafFile, this.#nodeFile]) file.finish();
    writeFileSync(join(this.#directory, 'metadata'), encodeTreeMetadata(this.#version), { flush: true });
    syncDirectory(this.#directory);
    return hash;
  }

  #goOn({ leaves, branches, lastKey, subtrees }: TreePosition): void {
    this.#leaves = leaves;
    this.#branches = branches;
    if (lastKey !== undefined) this.#rememberKey(hexToBytes(lastKey));
    this.#window.clear();
    for (const { hash, ...rest } of subtrees) {
      this.#stack.push({ ...rest, slot: this.#window.carry(hexToBytes(hash)) });
    }
  }

  /** Hashes the window, writes its records, and carries the open subtrees into the next one. */
  #turn(): void {
    const window = this.#window;
    window.hash();
    for (let slot = window.begin; slot < window.end; slot++) this.#write(slot);
    const carried = this.#stack.map(({ slot }) => window.hashes.slice(32 * slot, 32 * slot + 32));
    window.clear();
    this.#stack.forEach((subtree, i) => {
      subtree.slot = window.carry(carried[i]!);
    });
  }

  /** Nodes leave in the order they came in: each file gets its records in order. */
  #write(slot: number): void {
    const { hashes, words } = this.#window;
    const file = this.#window.isLeaf(slot) ? this.#leafFile : this.#nodeFile;
    const { buffer, offset } = file.place(RECORD_BYTES);
    for (let i = 0; i < 4; i++) buffer.writeUInt32LE(words[4 * slot + i]!, offset + 4 * i);
    for (let i = 0; i < 32; i++) buffer[offset + 16 + i] = hashes[32 * slot + i]!;
  }

  #checkOrder(key: Uint8Array): void {
    const last = this.#lastKey;
    if (this.#lastKeyLength >= 0 && last.compare(key, 0, key.length, 0, this.#lastKeyLength) >= 0) {
      throw malformed(`key 0x${Buffer.from(key).toString('hex')} does not follow the one before it`);
    }
    this.#rememberKey(key);
  }

  #rememberKey(key: Uint8Array): void {
    if (key.length > this.#lastKey.length) this.#lastKey = Buffer.alloc(2 * key.length);
    this.#lastKey.set(key);
    this.#lastKeyLength = key.length;
  }
}

function openFlat(path: string, from: FilePosition | undefined): BufferedFile {
  const pace = (): void => undefined;
  if (from === undefined) return new BufferedFile(path, pace);
  let file: BufferedFile;
  try {
    file = new BufferedFile(path, pace, from);
  } catch (cause) {
    throw lostPosition(path, cause);
  }
  const { length, sum } = file.position;
  if (length === from.length && sum === from.sum) return file;
  file.close();
  throw lostPosition(path);
}
