import fc from 'fast-check';
import { expect, test } from 'vitest';
import { concatBytes } from '../../primitives/index.ts';
import { loadBlst, pureBlsPoints } from './blsPoints.ts';
import { BLS, bytes, g1, g2 } from './points.fixture.ts';

const RUNS = Number(process.env.PRECOMPILE_RUNS ?? 12);
const blst = loadBlst();

/** Coordinates of the precompile as the Zcash form has them: 48 bytes each, the imaginary part first. */
const zcash = (point: Uint8Array) => {
  const fields = Array.from({ length: point.length / 64 }, (_, i) =>
    point.subarray(i * 64 + 16, i * 64 + 64),
  );
  if (fields.length === 4) return concatBytes(fields[1]!, fields[0]!, fields[3]!, fields[2]!);
  return concatBytes(...fields);
};
const isInfinity = (point: Uint8Array) => point.every((byte) => byte === 0);

test('blst and pure code agree which points are in the subgroups', () => {
  fc.assert(
    fc.property(g1(BLS), g2(BLS), (one, two) => {
      fc.pre(!isInfinity(one) && !isInfinity(two));
      expect(blst.isInG1(zcash(one))).toBe(pureBlsPoints.isInG1(zcash(one)));
      expect(blst.isInG2(zcash(two))).toBe(pureBlsPoints.isInG2(zcash(two)));
    }),
    { numRuns: RUNS },
  );
});

test('blst and pure code decompress the same of any 48 bytes', () => {
  const compressed = fc.tuple(g1(BLS), fc.nat(7), fc.boolean()).map(([point, flags, isPlain]) => {
    const x = Uint8Array.from(point.subarray(16, 64));
    x[0] = (x[0]! & 0x1f) | ((isPlain ? 4 + (flags & 1) : flags) << 5);
    return x;
  });
  fc.assert(
    fc.property(
      fc.oneof({ weight: 4, arbitrary: compressed }, bytes(48), fc.uint8Array({ maxLength: 100 })),
      (input) => {
        expect(blst.decompressG1(input)).toEqual(pureBlsPoints.decompressG1(input));
      },
    ),
    { numRuns: RUNS * 4 },
  );
});
