import { CodedError } from '@chain/platform';
import { bigintToBytes } from './integers.ts';

/** A string of bytes, or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[];

const MAX_DEPTH = 64;

export function encodeRlp(item: RlpItem): Uint8Array {
  const size = sizeOf(item);
  const target = new Uint8Array(size);
  write(item, target, 0);
  return target;
}

/** Decodes exactly one canonical item. Throws RLP_INVALID with geth's words (`rlp: …`). */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  const { item, next } = read(bytes, { offset: 0, end: bytes.length, depth: 0 });
  if (next !== bytes.length) throw invalid('rlp: input contains more than one value');
  return item;
}

const payloadSize = (item: RlpItem): number => {
  if (item instanceof Uint8Array) return item.length;
  let size = 0;
  for (const child of item) size += sizeOf(child);
  return size;
};

function sizeOf(item: RlpItem): number {
  if (item instanceof Uint8Array && item.length === 1 && item[0]! < 0x80) return 1;
  const size = payloadSize(item);
  return size < 56 ? 1 + size : 1 + bigintToBytes(BigInt(size)).length + size;
}

function write(item: RlpItem, target: Uint8Array, offset: number): number {
  if (item instanceof Uint8Array) {
    if (item.length === 1 && item[0]! < 0x80) {
      target[offset] = item[0]!;
      return offset + 1;
    }
    const at = writeHead(target, { offset, size: item.length, base: 0x80 });
    target.set(item, at);
    return at + item.length;
  }
  let at = writeHead(target, { offset, size: payloadSize(item), base: 0xc0 });
  for (const child of item) at = write(child, target, at);
  return at;
}

function writeHead(target: Uint8Array, head: { offset: number; size: number; base: number }): number {
  if (head.size < 56) {
    target[head.offset] = head.base + head.size;
    return head.offset + 1;
  }
  const length = bigintToBytes(BigInt(head.size));
  target[head.offset] = head.base + 55 + length.length;
  target.set(length, head.offset + 1);
  return head.offset + 1 + length.length;
}

interface Span {
  readonly offset: number;
  readonly end: number;
  readonly depth: number;
}

function read(bytes: Uint8Array, span: Span): { item: RlpItem; next: number } {
  const { offset, end, depth } = span;
  if (offset >= end) throw invalid('unexpected EOF');
  const first = bytes[offset]!;
  if (first < 0x80) return { item: bytes.subarray(offset, offset + 1), next: offset + 1 };
  const isList = first >= 0xc0;
  const { start, size } = readHead(bytes, offset, end);
  const next = start + size;
  if (next > end) {
    throw invalid(
      depth === 0
        ? 'rlp: value size exceeds available input length'
        : 'rlp: element is larger than containing list',
    );
  }
  if (!isList) {
    if (size === 1 && bytes[start]! < 0x80) throw invalid('rlp: non-canonical size information');
    return { item: bytes.subarray(start, next), next };
  }
  if (depth >= MAX_DEPTH) throw invalid(`rlp: lists nested deeper than ${MAX_DEPTH}`);
  const children: RlpItem[] = [];
  for (let at = start; at < next; ) {
    const child = read(bytes, { offset: at, end: next, depth: depth + 1 });
    children.push(child.item);
    at = child.next;
  }
  return { item: children, next };
}

function readHead(bytes: Uint8Array, offset: number, end: number): { start: number; size: number } {
  const first = bytes[offset]!;
  const short = first < 0xc0 ? first - 0x80 : first - 0xc0;
  if (short < 56) return { start: offset + 1, size: short };
  const lengthBytes = short - 55;
  if (offset + 1 + lengthBytes > end) throw invalid('unexpected EOF');
  if (bytes[offset + 1] === 0) throw invalid('rlp: non-canonical size information');
  let size = 0;
  for (let i = 1; i <= lengthBytes; i++) size = size * 256 + bytes[offset + i]!;
  if (size < 56) throw invalid('rlp: non-canonical size information');
  return { start: offset + 1 + lengthBytes, size };
}

function invalid(message: string): CodedError<'RLP_INVALID'> {
  return new CodedError('RLP_INVALID', message);
}
