import { describe, expect, it } from 'vitest';
import { retainHeight } from './retainHeight.ts';

const wish = { minRetainBlocks: 0, evidenceBlocks: 0, snapshotBlocks: 0 };

describe('the height from which CometBFT keeps blocks', () => {
  it('is none while everything is to be kept', () => {
    expect(retainHeight(500_000, { ...wish, evidenceBlocks: 100 })).toBe(0);
  });

  it('is given by the strictest wish', () => {
    expect(retainHeight(500_000, { ...wish, minRetainBlocks: 1000 })).toBe(499_000);
    expect(retainHeight(500_000, { ...wish, minRetainBlocks: 1000, evidenceBlocks: 100_000 })).toBe(400_000);
    expect(retainHeight(500_000, { ...wish, minRetainBlocks: 1000, snapshotBlocks: 3000 })).toBe(497_000);
  });

  it('is none on a chain that is younger', () => {
    expect(retainHeight(500, { ...wish, minRetainBlocks: 1000 })).toBe(0);
  });
});
