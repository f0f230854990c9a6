import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../primitives/index.ts';
import { FrameReader, frame } from './frames.ts';

const messages = fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 30 });

/** Cuts `bytes` at these places, whatever they are. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}

describe('frames of the ABCI socket', () => {
  it('come out as they went in, however the stream is cut', () => {
    fc.assert(
      fc.property(messages, fc.array(fc.nat(), { maxLength: 60 }), (sent, places) => {
        const reader = new FrameReader();
        const got = cut(concatBytes(...sent.map(frame)), places).flatMap((piece) => reader.push(piece));
        expect(got.map((message) => [...message])).toEqual(sent.map((message) => [...message]));
      }),
    );
  });

  it('come out one byte at a time', () => {
    const reader = new FrameReader();
    const sent = new Uint8Array(300).fill(7);
    const got = [...frame(sent)].flatMap((byte) => reader.push(Uint8Array.of(byte)));
    expect(got).toEqual([sent]);
  });

  it('are refused when longer than CometBFT sends', () => {
    expect(() => new FrameReader(100).push(frame(new Uint8Array(101)))).toThrow('101 bytes');
    expect(() => new FrameReader().push(new Uint8Array(5).fill(0xff))).toThrow('v0.38');
  });
});
