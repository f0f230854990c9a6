import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseReport } from './parseReport.ts';

const REPORT = {
  release: '6.5.0',
  chainId: 'c',
  nodeId: 'a'.repeat(40),
  moniker: 'm',
  mode: 'rpc',
  engine: 'cometbft',
  backend: 'pebbledb',
  evmSplit: false,
  stage: 'running',
  startedAt: '2026-01-01T00:00:00Z',
  height: 5,
  catchingUp: false,
  notReady: { code: 'syncing', message: 'at 5' },
  volume: { size: 10, free: 5 },
  floors: { base: 1, evm: 2 },
  peers: 3,
  blockTime: '2026-01-01T00:00:00Z',
};
const parse = (report: unknown) => parseReport(JSON.stringify(report), 'http://10.0.0.1:26660');

it('takes the members that it knows', () => {
  expect(parse({ ...REPORT, other: { deep: 1 } })).toEqual(REPORT);
});

it.each([
  null,
  [],
  { ...REPORT, nodeId: '../../x' },
  { ...REPORT, stage: 'other' },
  { ...REPORT, height: -1 },
  { ...REPORT, startedAt: 'soon' },
])('refuses %j without a word of it', (report) => {
  expect(() => parse(report)).toThrow('http://10.0.0.1:26660 answers with something else than a report');
});

it('every text is bounded and on one line, and what has another type is left out', () => {
  const any = fc.anything({ maxDepth: 1 });
  const text = fc.string({ unit: 'binary', maxLength: 500 });
  fc.assert(
    fc.property(text, any, any, any, (words, floors, volume, peers) => {
      const named = { release: words, chainId: words, mode: words, backend: words, moniker: words };
      const found = parse({
        ...REPORT,
        ...named,
        notReady: { code: words, message: words },
        floors,
        volume,
        peers,
      });
      for (const value of Object.values(found)) {
        if (typeof value === 'string') expect(value).toMatch(/^[^\p{Cc}]{0,300}$/u);
      }
      expect(found.notReady).toMatchObject({
        code: 'other',
        message: expect.stringMatching(/^[^\p{Cc}]{0,300}$/u),
      });
      expect(found.release.length).toBeLessThanOrEqual(64);
    }),
    { numRuns: 30 },
  );
});
