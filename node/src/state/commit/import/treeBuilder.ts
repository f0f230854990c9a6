import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesToHex, hexToBytes } from '../../../primitives/index.ts';
import { syncDirectorySync } from '../../changelog/index.ts';
import { type LeafPlace, leafKeyOf } from '../export/leafPlace.ts';
import { encodeTreeMetadata, MAX_LEAVES } from '../memiavl/flatFiles.ts';
import { copyShort } from '../memiavl/nodeHasher.ts';
import { EMPTY_ROOT } from '../memiavl/tree.ts';
import { BufferedFile, type FilePosition } from '../snapshot/bufferedFile.ts';
import { lostPosition, malformed } from './malformedStream.ts';
import { type NodeWindow, RECORD_WORDS } from './nodeWindow.ts';

/** A subtree that no branch has taken in yet. */
interface Subtree {
  slot: number;
  height: number;
  size: number;
  /** Index of its first leaf, and leaves less branches before it (spec S-4). */
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
    const subtrees = this.#stack.map(({ slot, ...rest }) => ({
      ...rest,
      hash: bytesToHex(this.#window.hashOf(slot)),
    }));
    const files = { kvs: this.#kvs.sync(), leaves: this.#leafFile.sync(), nodes: this.#nodeFile.sync() };
    syncDirectorySync(this.#directory);
    const begun = this.#lastKeyLength >= 0;
    return {
      leaves: this.#leaves,
      branches: this.#branches,
      ...(begun && { lastKey: bytesToHex(this.#lastKey.subarray(0, this.#lastKeyLength)) }),
      subtrees,
      files,
    };
  }

  leaf(leaf: LeafPlace): void {
    const { keyLength, valueLength, version } = leaf;
    this.#checkOrder(leaf);
    if (version > this.#version) throw malformed(`a leaf is of version ${version}, above ${this.#version}`);
    if (this.#leaves >= MAX_LEAVES || this.#stack.length >= MAX_SUBTREES) {
      throw malformed(`${this.#stack.length} subtrees stand side by side at leaf ${this.#leaves}`);
    }
    if (this.#window.isFull) this.#turn();
    const slot = this.#window.leaf(leaf);
    const offset = this.#kvs.length;
    this.#kvs.field(leaf.keyBytes, leaf.keyAt, keyLength);
    this.#kvs.field(leaf.valueBytes, leaf.valueAt, valueLength);
    const { words } = this.#window;
    const word = RECORD_WORDS * slot;
    words[word] = version;
    words[word + 1] = keyLength;
    words[word + 2] = offset % 2 ** 32;
    words[word + 3] = Math.floor(offset / 2 ** 32);
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
    const { preTrees } = left;
    const { words } = this.#window;
    const word = RECORD_WORDS * slot;
    words[word] = height | (preTrees << 8);
    words[word + 1] = version;
    words[word + 2] = size;
    words[word + 3] = right.firstLeaf;
    this.#branches++;
    left.slot = slot;
    left.height = height;
    left.size = size;
    this.#stack.push(left);
  }

  /** Completes the files, synced, and gives the root's hash. */
  finish(): Uint8Array {
    if (this.#stack.length > 1) throw malformed(`ends with ${this.#stack.length} trees instead of one`);
    this.#turn();
    const root = this.#stack[0];
    const hash = root ? this.#window.hashOf(root.slot).slice() : EMPTY_ROOT;
    this.#window.clear();
    for (const file of [this.#kvs, this.#leafFile, this.#nodeFile]) file.finish();
    writeFileSync(join(this.#directory, 'metadata'), encodeTreeMetadata(this.#version), { flush: true });
    syncDirectorySync(this.#directory);
    return hash;
  }

  #goOn({ leaves, branches, lastKey, subtrees }: TreePosition): void {
    this.#leaves = leaves;
    this.#branches = branches;
    if (lastKey !== undefined) {
      this.#lastKey = Buffer.from(hexToBytes(lastKey));
      this.#lastKeyLength = this.#lastKey.length;
    }
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
    const carried = this.#stack.map(({ slot }) => window.hashOf(slot).slice());
    window.clear();
    this.#stack.forEach((subtree, i) => {
      subtree.slot = window.carry(carried[i]!);
    });
  }

  /** Nodes leave in the order they came in: each file gets its records in order. */
  #write(slot: number): void {
    const file = this.#window.isLeaf(slot) ? this.#leafFile : this.#nodeFile;
    file.words(this.#window.words, RECORD_WORDS * slot, RECORD_WORDS);
  }

  #checkOrder(leaf: LeafPlace): void {
    if (this.#lastKeyLength >= 0 && !this.#isBehindLast(leaf)) {
      throw malformed(`key 0x${bytesToHex(leafKeyOf(leaf))} does not follow the one before it`);
    }
    const { keyBytes: bytes, keyAt: at, keyLength } = leaf;
    if (keyLength > this.#lastKey.length) this.#lastKey = Buffer.alloc(2 * keyLength);
    copyShort({ bytes, at }, { bytes: this.#lastKey, at: 0 }, keyLength);
    this.#lastKeyLength = keyLength;
  }

  #isBehindLast({ keyBytes, keyAt, keyLength }: LeafPlace): boolean {
    const last = this.#lastKey;
    const common = Math.min(keyLength, this.#lastKeyLength);
    for (let i = 0; i < common; i++) {
      const difference = keyBytes[keyAt + i]! - last[i]!;
      if (difference !== 0) return difference > 0;
    }
    return keyLength > this.#lastKeyLength;
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
