import { Turns } from '@chain/platform';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogMatch } from '../../history/index.ts';
import { type LogsJsonLimits, LogsList } from './logsJson.ts';
import { LogsWriter } from './logsWriter.ts';
import { formatLog } from './receipt.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const HASHES = [1, 2].map((value) => new Uint8Array(32).fill(value));
const log: fc.Arbitrary<LogMatch> = fc.record({
  address: bytes(20),
  topics: fc.array(bytes(32), { maxLength: 4 }),
  data: fc.uint8Array({ maxLength: 200 }),
  blockNumber: fc.nat(),
  blockHash: bytes(32),
  blockSeconds: fc.bigInt(0n, 2n ** 40n),
  transactionHash: bytes(32),
  transactionIndex: fc.nat(1000),
  logIndex: fc.nat(100_000),
});
const writer = new LogsWriter();
const turns = new Turns();
/** All of them in one list. */
async function logsJson(logs: readonly LogMatch[], limits: LogsJsonLimits) {
  const list = new LogsList(limits, { writer, turns });
  await list.write(logs);
  return list.json();
}
const signal = new AbortController().signal;

describe('logs as JSON', () => {
  it('are the text of the objects', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(log, { maxLength: 30 }), async (logs) => {
        const { text } = await logsJson(logs, { maxBytes: 1 << 20, signal });
        expect(text).toBe(JSON.stringify(logs.map(formatLog)));
      }),
    );
  });

  it('are the same where their data is long, and where several lists are written at once', async () => {
    const lists = [300_000, 20, 1_000_000, 5].map((length) => {
      const data = Uint8Array.from({ length }, (_, i) => (i * 7) % 251);
      return fc
        .sample(log, { numRuns: 200, seed: length })
        .map((one, i) => (i % 50 === 7 ? { ...one, data } : one));
    });
    const limits = { maxBytes: 1 << 28, signal };
    const texts = await Promise.all(lists.map((logs) => logsJson(logs, limits)));
    for (const [i, { text }] of texts.entries()) {
      expect(text === JSON.stringify(lists[i]!.map(formatLog)), `list ${i}`).toBe(true);
    }
  });

  it('tell receipts apart', async () => {
    const [one] = fc.sample(log, { numRuns: 1, seed: 1 }) as [LogMatch];
    const logs = [0, 0, 1, 0].map((i) => ({ ...one, transactionHash: HASHES[i]!, transactionIndex: i }));
    const { text } = await logsJson(logs, { maxBytes: 1 << 20, signal });
    expect(JSON.parse(text)).toEqual(logs.map(formatLog));
  });

  it('are refused beyond the limit, and stop when nobody waits', async () => {
    const logs = fc.sample(log, { numRuns: 5000, seed: 2 });
    await expect(logsJson(logs, { maxBytes: 100_000, signal })).rejects.toMatchObject({
      code: 'RPC_ERROR',
      message: expect.stringContaining('exceeds the maximum of 100000 bytes'),
    });
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(logsJson(logs, { maxBytes: 1 << 30, signal: gone })).rejects.toThrowError('gone');
  });
});
