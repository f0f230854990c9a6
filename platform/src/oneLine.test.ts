import fc from 'fast-check';
import { expect, it } from 'vitest';
import { oneLine } from './oneLine.ts';

it('whatever it is given, the line is bounded and printable', () => {
  const text = fc.string({ unit: 'binary', maxLength: 100 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 50 }), (given, most) => {
      const line = oneLine(given, most);
      expect(line.length).toBeLessThanOrEqual(most);
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202E]/u);
    }),
    { numRuns: 30 },
  );
});

it('words stay as they are', () => {
  expect(oneLine('a\r\n\u001b[31mb\u202E c ')).toBe('a [31mb c');
  expect(oneLine('x'.repeat(600))).toHaveLength(500);
});
