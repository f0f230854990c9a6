import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DigestBatch } from './digestBatch.ts';

it('gives the SHA-256 of every message, of any lengths mixed', () => {
  const batch = new DigestBatch();
  const message = fc.integer({ min: 0, max: 600 }).map((length) => {
    const bytes = new Uint8Array(length);
    for (let i = 0; i < length; i++) bytes[i] = (i * 31 + length * 7) & 255;
    return bytes;
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 40 }), (messages) => {
      const digests: string[] = [];
      const sink = (tag: number, memory: Uint8Array, offset: number): void => {
        digests[tag] = Buffer.from(memory.subarray(offset, offset + 32)).toString('hex');
      };
      messages.forEach((bytes, tag) => {
        const at = batch.reserve(bytes.length, tag, sink);
        if (at === undefined) batch.single(bytes, tag, sink);
        else batch.memory.set(bytes, at);
      });
      batch.flush(sink);
      expect(digests).toEqual(messages.map((bytes) => createHash('sha256').update(bytes).digest('hex')));
    }),
  );
});
