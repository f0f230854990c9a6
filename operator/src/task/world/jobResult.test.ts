import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJobResult } from './jobResult.ts';

const DIGEST = 'ab'.repeat(32);

it('takes what chaind writes', () => {
  const result = {
    error: 'MIGRATE_TRUST: no',
    sealedKeys: 'AA==',
    trust: { height: 5, hash: DIGEST },
    backup: { path: 'p', manifestSha256: DIGEST, files: [{ path: 'config/node_key.json', sha256: DIGEST }] },
    checks: [{ name: 'trace', ok: true, detail: 'a result' }],
  };
  expect(parseJobResult(JSON.stringify({ ...result, other: 1 }))).toEqual(result);
});

it('gives nothing for what is no object, and leaves out what has another shape', () => {
  expect(['', 'no', 'null', '[]', '5', '"x"'].map(parseJobResult)).toEqual(Array(6).fill(undefined));
  const wrong = { error: 5, backup: { path: 1 }, trust: [], checks: [null, { ok: 'yes' }], sealedKeys: {} };
  expect(parseJobResult(JSON.stringify(wrong))).toEqual({ checks: [] });
});

it('every text stays within the bounds of the status, on one line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 1500 }), (text) => {
      const found = parseJobResult(
        JSON.stringify({
          error: text,
          checks: Array(40).fill({ name: text, ok: false, detail: text }),
          backup: { path: text, manifestSha256: text, files: Array(40).fill({ path: text, sha256: text }) },
        }),
      )!;
      expect(found.error!.length).toBeLessThanOrEqual(1024);
      expect([found.checks!.length, found.backup!.files.length]).toEqual([32, 32]);
      expect(found.backup!.path.length).toBeLessThanOrEqual(512);
      expect(found.checks![0]!.detail).not.toMatch(/\p{Cc}/u);
    }),
    { numRuns: 10 },
  );
});
