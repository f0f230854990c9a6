import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('lets one of all that waits go on in each turn of the event loop, in their order', async () => {
  const turns = new Turns();
  const steps: string[] = [];
  let isOver = false;
  const watch = (): void => {
    steps.push('|');
    if (!isOver) setImmediate(watch);
  };
  const work = async (name: string): Promise<void> => {
    const share = turns.share(0);
    for (let step = 0; step < 3; step++) {
      if (share.isOver) await share.next();
      steps.push(name);
    }
  };
  setImmediate(watch);
  await Promise.all(['a', 'b', 'c'].map(work));
  isOver = true;
  expect(steps.filter((step) => step !== '|').join('')).toBe('abcabcabc');
  expect(steps.join('')).not.toMatch(/\w\w/);
});

it('steps aside only when its share is used up', async () => {
  const turns = new Turns();
  const share = turns.share(60_000);
  expect(share.isOver).toBe(false);
  expect(share.ends).toBeGreaterThan(performance.now());
  const waited = [turns.next(), turns.next()];
  await Promise.all(waited);
});
