import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nestsDeeper } from './nestsDeeper.ts';
import { JSON_LIMITS, parseJson } from './parseJson.ts';
import { readJsonBody } from './readJsonBody.ts';

const nested = (depth: number, inner = '1') => '['.repeat(depth) + inner + ']'.repeat(depth);

/** The depth by the definition, from the value. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('JSON text', () => {
  it('may be nested as deep as the limit, and no deeper', () => {
    const { maxDepth } = JSON_LIMITS;
    expect(depthOf(parseJson(nested(maxDepth)))).toBe(maxDepth);
    expect(() => parseJson(nested(maxDepth + 1))).toThrow('more than 128 levels');
    expect(() => parseJson(Buffer.from('{"a":'.repeat(200)))).toThrow(SyntaxError);
    expect(() => parseJson(nested(1_000_000))).toThrow(SyntaxError);
    expect(parseJson(nested(3), { maxDepth: 3 })).toEqual([[[1]]]);
    expect(() => parseJson(nested(4), { maxDepth: 3 })).toThrow(SyntaxError);
  });

  it('is as deep as its value, whatever its strings hold', () => {
    const brackets = fc.string({ unit: fc.constantFrom('[', '{', ']', '}', '"', '\\', 'a') });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        brackets,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(brackets, tie('value'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(value, (json) => {
        const depth = depthOf(json);
        const text = JSON.stringify(json);
        expect(nestsDeeper(text, depth)).toBe(false);
        if (depth > 0) expect(nestsDeeper(text, depth - 1)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('may be no longer than the limit', () => {
    expect(parseJson('[1,2]', { maxBytes: 5 })).toEqual([1, 2]);
    expect(() => parseJson('[1, 2]', { maxBytes: 5 })).toThrow('6 bytes, more than 5');
  });

  it('keeps what a reviver keeps', () => {
    const source = (_key: string, value: unknown, context?: { source?: string }) => context?.source ?? value;
    expect(parseJson('[12345678901234567890]', { reviver: source })).toEqual(['12345678901234567890']);
  });
});

describe('a body', () => {
  it('is read no further than the limit', async () => {
    let sent = 0;
    async function* endless() {
      for (; ; sent++) yield Buffer.alloc(1000, 0x20);
    }
    await expect(readJsonBody(endless(), { maxBytes: 5000 })).rejects.toMatchObject({
      code: 'JSON_TOO_LARGE',
    });
    expect(sent).toBe(5);
    expect(await readJsonBody(new Response('{"a":1}').body)).toEqual({ a: 1 });
    await expect(readJsonBody(null)).rejects.toThrow(SyntaxError);
  });
});
