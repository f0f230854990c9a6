import { CodedError } from '@chain/platform';
import { type LeafPlace, leafOf } from '../../commit/index.ts';

/** What a reader of the item stream is given, in order. */
export interface ItemVisitor {
  /** A section begins. */
  store(name: string): void;
  leaf(leaf: LeafPlace): void;
  branch(height: number, version: number): void;
}

/** A place between two items of the stream. */
export interface StreamPosition {
  /** Uncompressed bytes before it. */
  readonly offset: number;
  /** Name of the section that it lies in; empty before the first. */
  readonly section: string;
}
const START: StreamPosition = { offset: 0, section: '' };

/** Longest item that is read (spec S-10). */
const MAX_ITEM_BYTES = 64_000_000;
const MAX_HEIGHT = 127;
const MAX_VERSION = 0xffffffff;
const NOTHING = Buffer.alloc(0);
/** A length is no longer than this. */
const MAX_LENGTH_BYTES = 5;

/**
 * Cuts the item stream, which comes in pieces of any length, into items; memory holds no more than one item that
 * is not whole. Throws SNAPSHOT_STREAM for whatever is no item of a multistore.
 */
export class ItemReader {
  readonly #visitor: ItemVisitor;
  /** Always a Buffer: one kind of bytes for the compiler. */
  #bytes: Buffer = NOTHING;
  readonly #leaf = leafOf(NOTHING, NOTHING, 0);
  #at = 0;
  #end = 0;
  /** The beginning of an item whose rest has not come yet. */
  #pieces: Uint8Array[] = [];
  #held = 0;
  /** Length of the item whose beginning is held; 0 while that is not known. */
  #wanted = 0;
  #items = 0;
  #pushed: number;
  #section: string;

  /** The first byte pushed is the one behind `from`; the visitor must know its section. */
  constructor(visitor: ItemVisitor, from: StreamPosition = START) {
    this.#visitor = visitor;
    this.#pushed = from.offset;
    this.#section = from.section;
  }

  /** Behind the last whole item. */
  get position(): StreamPosition {
    return { offset: this.#pushed - this.#held, section: this.#section };
  }

  /** The piece is not used after the call. */
  push(piece: Uint8Array): void {
    this.#pushed += piece.length;
    const from = this.#held === 0 ? 0 : this.#endHeld(piece);
    this.#read(Buffer.from(piece.buffer, piece.byteOffset + from, piece.length - from));
    this.#bytes = NOTHING;
  }

  /** Throws SNAPSHOT_STREAM when the stream ended in the midst of an item, or before the first. */
  finish(): void {
    if (this.#held > 0) throw this.#malformed('the stream ends in the midst of it');
    if (this.position.offset === 0) throw this.#malformed('the stream is empty');
  }

  /** Reads whole items, and keeps what is behind the last one. */
  #read(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#at = 0;
    this.#end = bytes.length;
    while (this.#at < this.#end) {
      const start = this.#at;
      const length = this.#itemLength();
      if (length === undefined || this.#at + length > this.#end) {
        this.#wanted = length === undefined ? 0 : this.#at - start + length;
        this.#hold(bytes.subarray(start));
        return;
      }
      this.#item(this.#at + length);
    }
  }

  /** Reads the item whose beginning is held. Gives where the next one begins in the piece: at its end when this one goes on. */
  #endHeld(piece: Uint8Array): number {
    if (this.#wanted === 0) {
      this.#bytes = Buffer.concat([...this.#pieces, piece.subarray(0, MAX_LENGTH_BYTES)]);
      this.#at = 0;
      this.#end = this.#bytes.length;
      const length = this.#itemLength();
      if (length !== undefined) this.#wanted = this.#at + length;
    }
    const missing = this.#wanted - this.#held;
    if (this.#wanted === 0 || missing > piece.length) {
      this.#hold(piece);
      return piece.length;
    }
    const item = Buffer.concat([...this.#pieces, piece.subarray(0, missing)]);
    this.#pieces = [];
    this.#held = 0;
    this.#read(item);
    return missing;
  }

  #hold(piece: Uint8Array): void {
    this.#pieces.push(Uint8Array.from(piece));
    this.#held += piece.length;
  }

  /** `undefined` when not even the length has come. */
  #itemLength(): number | undefined {
    let length = 0;
    let scale = 1;
    for (let at = this.#at; at < this.#end; at++) {
      const byte = this.#bytes[at]!;
      length += (byte & 0x7f) * scale;
      if (length > MAX_ITEM_BYTES || scale > 2 ** 28)
        throw this.#malformed(`it is longer than ${MAX_ITEM_BYTES} bytes`);
      if (byte < 0x80) {
        this.#at = at + 1;
        return length;
      }
      scale *= 0x80;
    }
    return undefined;
  }

  #item(end: number): void {
    this.#items++;
    const tag = this.#varint(end);
    const length = this.#varint(end);
    if (this.#at + length !== end) throw this.#malformed('it is not one message');
    if (tag === 0x12) this.#node(end);
    else if (tag === 0x0a) this.#store(end);
    else if (tag === 0x1a || tag === 0x22) {
      throw this.#malformed('it belongs to an extension of the state, and this program has none');
    } else throw this.#malformed(`it is of an unknown kind, ${tag >> 3}`);
  }

  #store(end: number): void {
    if (this.#at === end || this.#varint(end) !== 0x0a) throw this.#malformed('a store has no name');
    const name = Buffer.from(this.#field(end)).toString('utf8');
    if (name === '' || this.#at !== end) throw this.#malformed('a store has no name, or more than one');
    this.#section = name;
    this.#visitor.store(name);
  }

  #node(end: number): void {
    const leaf = this.#leaf;
    leaf.keyBytes = this.#bytes;
    leaf.valueBytes = this.#bytes;
    leaf.keyLength = 0;
    leaf.valueLength = 0;
    let version = 0;
    let height = 0;
    while (this.#at < end) {
      const tag = this.#varint(end);
      if (tag === 0x0a) {
        leaf.keyLength = this.#fieldLength(end);
        leaf.keyAt = this.#at - leaf.keyLength;
      } else if (tag === 0x12) {
        leaf.valueLength = this.#fieldLength(end);
        leaf.valueAt = this.#at - leaf.valueLength;
      } else if (tag === 0x18) version = this.#varint(end);
      else if (tag === 0x20) height = this.#varint(end);
      else throw this.#malformed(`a node has an unknown field, ${tag >> 3}`);
    }
    if (height > MAX_HEIGHT || version > MAX_VERSION) {
      throw this.#malformed(`a node has height ${height} and version ${version}`);
    }
    leaf.version = version;
    if (height === 0) this.#visitor.leaf(leaf);
    else this.#visitor.branch(height, version);
  }

  #field(end: number): Uint8Array {
    const length = this.#fieldLength(end);
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** Passes over the bytes of a field. */
  #fieldLength(end: number): number {
    const length = this.#varint(end);
    if (this.#at + length > end) throw this.#malformed('a field reaches beyond it');
    this.#at += length;
    return length;
  }

  #varint(end: number): number {
    let byte = this.#at < end ? this.#bytes[this.#at++]! : 0x80;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let scale = 0x80;
    while (this.#at < end) {
      byte = this.#bytes[this.#at++]!;
      value += (byte & 0x7f) * scale;
      if (value > Number.MAX_SAFE_INTEGER) break;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    throw this.#malformed('a number in it is cut off or too large');
  }

  #malformed(why: string): CodedError {
    return new CodedError(
      'SNAPSHOT_STREAM',
      `item ${this.#items} of the snapshot is refused: ${why}; take another snapshot`,
      { fields: { item: this.#items } },
    );
  }
}
