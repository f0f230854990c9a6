import { expect, it } from 'vitest';
import { openTables } from './openTables.ts';

const GIB = 2 ** 30;
const TABLE = 16 << 20;

it('a database keeps as many tables open as their indexes have memory, between bounds', () => {
  expect([2, 4, 24, 64, 512].map((memory) => openTables(TABLE, memory * GIB))).toEqual([
    1000, 1000, 4800, 12_800, 16_384,
  ]);
});
