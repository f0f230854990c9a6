import { expect, it } from 'vitest';
import { NodeArena, nodeWord, SIZE } from './nodeArena.ts';

const NODES = 50_000;

it('grows without moving a node, and another arena over its memory reads them all', () => {
  const arena = new NodeArena();
  const first = arena.allocate();
  const words = arena.wordsOf(first);
  arena.wordsOf(first)[nodeWord(first) + SIZE] = 1;
  for (let i = 1; i < NODES; i++) {
    const node = arena.allocate();
    expect(node).toBe(i);
    arena.wordsOf(node)[nodeWord(node) + SIZE] = node + 1;
  }
  expect(arena.count).toBe(NODES);
  expect(arena.wordsOf(first)).toBe(words);
  const elsewhere = new NodeArena(arena.segments);
  for (let node = 0; node < NODES; node++) {
    if (elsewhere.wordsOf(node)[nodeWord(node) + SIZE] !== node + 1) expect.fail(`node ${node}`);
  }
});

it('uses a node again that was given back', () => {
  const arena = new NodeArena();
  const nodes = [arena.allocate(), arena.allocate()];
  arena.release(nodes[0]!);
  expect(arena.allocate()).toBe(nodes[0]);
  expect(arena.count).toBe(2);
});
