import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Block, BlockRecord } from '../../types/index.ts';
import { Gaps } from './gaps.ts';

const blockOf = (height: number, partsTotal: number): Block =>
  ({ id: { hash: Uint8Array.of(height), partsTotal }, header: { height }, txs: [] }) as unknown as Block;

describe('blocks that are kept with gaps', () => {
  let directory: string;
  let file: string;
  let kept: Block[];
  let whileFetched: (height: number) => Promise<void>;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'gaps-'));
    file = join(directory, 'gapped');
    kept = [];
    whileFetched = async () => undefined;
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const gaps = () =>
    new Gaps(
      { file },
      {
        chain: {
          get height() {
            return kept.length;
          },
          completeBlock: async (block) => {
            kept[block.header.height - 1] = block;
          },
        },
        history: {
          earliestHeight: 1,
          blockByHeight: (height) => ({ block: kept[height - 1]! }) as BlockRecord,
        },
        fetchBlock: async ({ height }) => {
          await whileFetched(height);
          return blockOf(height, 1);
        },
        logger: silentLogger,
      },
    );

  it('are noted once, at the first height, and completed by whoever comes next', async () => {
    const before = gaps();
    await before.note(2);
    await before.note(3);
    expect(readFileSync(file, 'utf8')).toBe('2\n');
    kept = [blockOf(1, 1), blockOf(2, 0), blockOf(3, 0)];
    expect(await gaps().complete()).toBe(true);
    expect(kept.map(({ id }) => id.partsTotal)).toEqual([1, 1, 1]);
    expect(existsSync(file)).toBe(false);
    expect(await gaps().complete()).toBe(true);
  });

  it('keep their note when another comes while earlier ones are completed', async () => {
    const both = gaps();
    await both.note(1);
    kept = [blockOf(1, 0)];
    whileFetched = () => both.note(2);
    expect(await both.complete()).toBe(false);
    expect(existsSync(file)).toBe(true);
    kept.push(blockOf(2, 0));
    whileFetched = async () => undefined;
    expect(await both.complete()).toBe(true);
    expect(kept.map(({ id }) => id.partsTotal)).toEqual([1, 1]);
    await both.note(3);
    expect(readFileSync(file, 'utf8')).toBe('3\n');
  });
});
