import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncDirectorySync } from '../../changelog/index.ts';
import { encodeTreeMetadata, RECORD_BYTES } from '../memiavl/flatFiles.ts';
import { isPersistedLeaf, NONE, type NodeSpace, recordOf } from '../memiavl/nodeSpace.ts';
import { checkedParts } from '../memiavl/pageCache.ts';
import type { PersistedTree } from '../memiavl/persistedTree.ts';
import { BufferedFile } from './bufferedFile.ts';

export interface TreeToWrite {
  readonly space: NodeSpace;
  readonly root: number;
  readonly version: number;
}

/** Writes one tree as the flat files of spec S-4, synced, `metadata` last. */
export function writeTree(tree: TreeToWrite, directory: string, pace: (bytes: number) => void): void {
  mkdirSync(directory);
  const writer = new TreeWriter(tree.space, directory, pace);
  if (tree.root !== NONE) writer.subtree(tree.root);
  writer.finish();
  writeFileSync(join(directory, 'metadata'), encodeTreeMetadata(tree.version), { flush: true });
  syncDirectorySync(directory);
}

class TreeWriter {
  readonly #space: NodeSpace;
  readonly #kvs: BufferedFile;
  readonly #leafFile: BufferedFile;
  readonly #nodeFile: BufferedFile;
  #leaves = 0;
  #branches = 0;

  constructor(space: NodeSpace, directory: string, pace: (bytes: number) => void) {
    this.#space = space;
    this.#kvs = new BufferedFile(join(directory, 'kvs'), pace);
    this.#leafFile = new BufferedFile(join(directory, 'leaves'), pace);
    this.#nodeFile = new BufferedFile(join(directory, 'nodes'), pace);
  }

  /** Post-order; what is unchanged since the last snapshot is copied in bulk. */
  subtree(ref: number): void {
    const space = this.#space;
    if (ref < 0) this.#copySubtree(space.base!, ref);
    else if (space.isLeaf(ref)) this.#leaf(ref);
    else {
      const preTrees = this.#leaves - this.#branches;
      this.subtree(space.left(ref));
      const keyLeaf = this.#leaves;
      this.subtree(space.right(ref));
      this.#branch(ref, preTrees, keyLeaf);
    }
  }

  finish(): void {
    for (const file of [this.#kvs, this.#leafFile, this.#nodeFile]) file.finish();
  }

  #leaf(ref: number): void {
    const key = this.#space.key(ref);
    const value = this.#space.value(ref);
    const kvsOffset = this.#kvs.length;
    this.#kvs.uint32(key.length);
    this.#kvs.bytes(key);
    this.#kvs.uint32(value.length);
    this.#kvs.bytes(value);
    const { buffer, offset } = this.#leafFile.place(RECORD_BYTES);
    buffer.writeUInt32LE(this.#space.version(ref), offset);
    buffer.writeUInt32LE(key.length, offset + 4);
    writeUint64(buffer, offset + 8, kvsOffset);
    this.#space.copyHash(ref, buffer, offset + 16);
    this.#leaves++;
  }

  #branch(ref: number, preTrees: number, keyLeaf: number): void {
    const { buffer, offset } = this.#nodeFile.place(RECORD_BYTES);
    buffer.writeUInt32LE(this.#space.height(ref) | (preTrees << 8), offset);
    buffer.writeUInt32LE(this.#space.version(ref), offset + 4);
    buffer.writeUInt32LE(this.#space.size(ref), offset + 8);
    buffer.writeUInt32LE(keyLeaf, offset + 12);
    this.#space.copyHash(ref, buffer, offset + 16);
    this.#branches++;
  }

  /** The records of a subtree are contiguous in all three files; only their indexes and offsets move. */
  #copySubtree(base: PersistedTree, ref: number): void {
    const [first, end] = this.#space.leafRange(ref);
    const kvsStart = base.kvsOffset(first);
    const kvsEnd = end === base.leafCount ? base.files.kvs.size : base.kvsOffset(end);
    const kvsShift = this.#kvs.length - kvsStart;
    for (const part of checkedParts(base.files.kvs, kvsStart, kvsEnd)) this.#kvs.bytes(part);
    const leafShift = this.#leaves - first;
    for (const part of checkedParts(base.files.leaves, first * RECORD_BYTES, end * RECORD_BYTES)) {
      for (let at = 8; at < part.length; at += RECORD_BYTES) {
        writeUint64(part, at, part.readUInt32LE(at) + part.readUInt32LE(at + 4) * 2 ** 32 + kvsShift);
      }
      this.#leafFile.bytes(part);
    }
    if (!isPersistedLeaf(ref)) this.#copyBranches(base, recordOf(ref), leafShift);
    this.#leaves += end - first;
    this.#branches += end - first - 1;
  }

  #copyBranches(base: PersistedTree, last: number, leafShift: number): void {
    const first = last + 2 - base.branchSize(last);
    const preTreesShift = this.#leaves - this.#branches - base.preTrees(last);
    for (const part of checkedParts(base.files.nodes, first * RECORD_BYTES, (last + 1) * RECORD_BYTES)) {
      for (let at = 0; at < part.length; at += RECORD_BYTES) {
        part[at + 1]! += preTreesShift;
        part.writeUInt32LE(part.readUInt32LE(at + 12) + leafShift, at + 12);
      }
      this.#nodeFile.bytes(part);
    }
  }
}

function writeUint64(buffer: Buffer, offset: number, value: number): void {
  buffer.writeUInt32LE(value % 2 ** 32, offset);
  buffer.writeUInt32LE(Math.floor(value / 2 ** 32), offset + 4);
}
