import { damagedFile, RECORD_BYTES } from '../memiavl/flatFiles.ts';
import { isPersistedLeaf, type NodeSpace, recordOf } from '../memiavl/nodeSpace.ts';
import type { PersistedTree } from '../memiavl/persistedTree.ts';
import { type LeafPlace, leafOf } from './leafPlace.ts';
import { SequentialReader } from './sequentialReader.ts';

const NOTHING: Uint8Array = Buffer.alloc(0);

/** Takes the nodes of one tree in post-order. */
export interface NodeSink {
  leaf(leaf: LeafPlace): void;
  branch(height: number, version: number): void;
  /** The walk pauses after the node that made it so. */
  readonly isFull?: boolean;
}

/** Walks a tree: nodes in memory by their references, subtrees of the snapshot below by reading its files in sequence. */
export class TreeWalk {
  readonly #space: NodeSpace;
  readonly #sink: NodeSink;

  constructor(space: NodeSpace, sink: NodeSink) {
    this.#space = space;
    this.#sink = sink;
  }

  /** Yields when the sink is full. */
  *subtree(ref: number): Iterable<void> {
    const space = this.#space;
    const sink = this.#sink;
    if (ref < 0) yield* this.#persisted(ref);
    else if (space.isLeaf(ref)) {
      sink.leaf(leafOf(space.key(ref), space.value(ref), space.version(ref)));
    } else {
      yield* this.subtree(space.left(ref));
      yield* this.subtree(space.right(ref));
      sink.branch(space.height(ref), space.version(ref));
    }
    if (sink.isFull) yield;
  }

  *#persisted(ref: number): Iterable<void> {
    const base = this.#space.base!;
    const [first, end] = this.#space.leafRange(ref);
    const leaves = new LeafReader(base, first, end);
    if (isPersistedLeaf(ref)) {
      leaves.next(this.#sink);
      return;
    }
    const last = recordOf(ref);
    const firstBranch = last + 2 - (end - first);
    const { nodes } = base.files;
    const records = new SequentialReader(nodes, firstBranch * RECORD_BYTES, (last + 1) * RECORD_BYTES);
    for (let branch = firstBranch; branch <= last; branch++) {
      const at = records.take(RECORD_BYTES);
      const height = records.buffer[at]!;
      const version = records.buffer.readUInt32LE(at + 4);
      // All leaves below a branch come before it, and none that is not below it or an earlier one.
      const leafEnd = branch + records.buffer[at + 1]! + 2;
      if (leafEnd > end) throw damagedFile(nodes.path, `names a leaf beyond its subtree at record ${branch}`);
      while (leaves.position < leafEnd) {
        leaves.next(this.#sink);
        if (this.#sink.isFull) yield;
      }
      this.#sink.branch(height, version);
    }
  }
}

/** Leaves of a snapshot in order, with their keys and values. */
class LeafReader {
  readonly #base: PersistedTree;
  readonly #records: SequentialReader;
  readonly #kvs: SequentialReader;
  readonly #place = leafOf(NOTHING, NOTHING, 0);
  position: number;

  constructor(base: PersistedTree, first: number, end: number) {
    this.#base = base;
    this.position = first;
    const { leaves, kvs } = base.files;
    const kvsEnd = end === base.leafCount ? kvs.size : base.kvsOffset(end);
    this.#records = new SequentialReader(leaves, first * RECORD_BYTES, end * RECORD_BYTES);
    this.#kvs = new SequentialReader(kvs, base.kvsOffset(first), kvsEnd);
  }

  next(sink: NodeSink): void {
    const record = this.#records.take(RECORD_BYTES);
    const { buffer: leaf } = this.#records;
    const keyLength = leaf.readUInt32LE(record + 4);
    const offset = leaf.readUInt32LE(record + 8) + leaf.readUInt32LE(record + 12) * 2 ** 32;
    const kvs = this.#kvs;
    if (offset !== kvs.offset || kvs.uint32() !== keyLength) {
      throw damagedFile(this.#base.files.leaves.path, `does not fit kvs at record ${this.position}`);
    }
    const head = kvs.take(keyLength + 4) + keyLength;
    const valueLength = kvs.buffer.readUInt32LE(head);
    // One stretch again, with the value behind: the key must stay where it is.
    kvs.giveBack(keyLength + 4);
    const place = this.#place;
    place.keyAt = kvs.take(keyLength + 4 + valueLength);
    place.keyBytes = kvs.buffer;
    place.keyLength = keyLength;
    place.valueBytes = kvs.buffer;
    place.valueAt = place.keyAt + keyLength + 4;
    place.valueLength = valueLength;
    place.version = leaf.readUInt32LE(record);
    this.position++;
    sink.leaf(place);
  }
}
