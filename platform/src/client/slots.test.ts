import { expect, it } from 'vitest';
import { Slots } from './slots.ts';

it('a group takes its own share only, and all together no more than there are', async () => {
  const slots = new Slots({ ofGroup: 2, inAll: 3 });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (group: string, name: string): Promise<void> =>
    slots.run(group, async () => {
      begun.push(name);
      await new Promise<void>((end) => ends.set(name, end));
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)!();
    await new Promise(setImmediate);
  };
  const all = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1'), run('b', 'b2')];
  await new Promise(setImmediate);
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
  await end('a1');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
  for (const name of ['a2', 'a3', 'b2']) await end(name);
  await Promise.all(all);
});

it('work that fails gives its place back', async () => {
  const slots = new Slots({ ofGroup: 1, inAll: 1 });
  await expect(slots.run('a', () => Promise.reject(new RangeError('no')))).rejects.toThrow('no');
  expect(await slots.run('a', async () => 1)).toBe(1);
});
