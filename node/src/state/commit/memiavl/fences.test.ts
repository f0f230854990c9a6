import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Fences } from './fences.ts';

const keys = fc.uniqueArray(fc.uint8Array({ maxLength: 6 }), {
  maxLength: 600,
  selector: (key) => Buffer.from(key).toString('hex'),
});

it('a search ends between two fences, and reads each of them once', () => {
  fc.assert(
    fc.property(keys, fc.array(fc.uint8Array({ maxLength: 6 }), { minLength: 1 }), (unsorted, others) => {
      const sorted = unsorted.toSorted(Buffer.compare);
      const read: number[] = [];
      const fences = new Fences(sorted.length, (leaf) => {
        read.push(leaf);
        return sorted[leaf]!;
      });
      for (const key of [...others, ...sorted]) {
        const [first, last] = fences.around(key);
        const found = sorted.findIndex((each) => Buffer.compare(each, key) >= 0);
        const bound = found < 0 ? sorted.length : found;
        expect(bound).toBeGreaterThanOrEqual(first);
        expect(bound).toBeLessThanOrEqual(last);
        expect(last - first).toBeLessThanOrEqual(64);
      }
      expect(new Set(read).size).toBe(read.length);
    }),
  );
});
