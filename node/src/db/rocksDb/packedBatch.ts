import type { BatchOperation } from '../keyValueDb.ts';
import type { RocksBatch } from './rocksModule.ts';

// operation = key length (4) ‖ value length + 1, or 0 for a delete (4) ‖ key ‖ value
const HEADER_BYTES = 8;

/** One buffer, so that a batch moves to another thread without being copied. */
export function packBatch(operations: readonly BatchOperation[]): Uint8Array<ArrayBuffer> {
  let size = 0;
  for (const operation of operations) {
    size += HEADER_BYTES + operation.key.length + (operation.type === 'put' ? operation.value.length : 0);
  }
  const packed = new Uint8Array(new ArrayBuffer(size));
  const lengths = new DataView(packed.buffer);
  let at = 0;
  for (const operation of operations) {
    const { key } = operation;
    lengths.setUint32(at, key.length);
    packed.set(key, at + HEADER_BYTES);
    if (operation.type === 'put') {
      lengths.setUint32(at + 4, operation.value.length + 1);
      packed.set(operation.value, at + HEADER_BYTES + key.length);
      at += operation.value.length;
    }
    at += HEADER_BYTES + key.length;
  }
  return packed;
}

export function unpackInto(batch: RocksBatch, packed: Uint8Array): void {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  let at = 0;
  while (at < bytes.length) {
    const keyEnd = at + HEADER_BYTES + bytes.readUInt32BE(at);
    const length = bytes.readUInt32BE(at + 4);
    const key = bytes.subarray(at + HEADER_BYTES, keyEnd);
    if (length === 0) batch._del(key);
    else batch._put(key, bytes.subarray(keyEnd, keyEnd + length - 1));
    at = keyEnd + Math.max(0, length - 1);
  }
}
