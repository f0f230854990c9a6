import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BodyPieces } from './bodyPieces.ts';

it('are the bytes that came, in their order, however they came', () => {
  const piece = fc
    .tuple(fc.oneof(fc.nat(3), fc.nat(2000), fc.nat(20_000)), fc.nat(255))
    .map(([length, byte]) => Buffer.alloc(length, byte));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (all) => {
      const pieces = new BodyPieces();
      for (const each of all) pieces.add(each);
      const whole = Buffer.concat(all);
      expect(pieces.length).toBe(whole.length);
      expect(Buffer.compare(pieces.take(), whole)).toBe(0);
      expect(pieces.length).toBe(0);
    }),
    { numRuns: 300 },
  );
});

it('of one piece is that piece', () => {
  const pieces = new BodyPieces();
  const piece = Buffer.from('whole');
  pieces.add(piece);
  expect(pieces.take()).toBe(piece);
});
