import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { WorkQueue } from './index.ts';

const queue = () => new WorkQueue({ now: () => performance.now(), random: () => 0 });

describe('a work queue', () => {
  it('hands keys out in order, and a key that waits only once', async () => {
    const work = queue();
    for (const key of ['a', 'b', 'a', 'c', 'b']) work.add(key);
    expect([await work.take(), await work.take(), await work.take(), work.depth]).toEqual(['a', 'b', 'c', 0]);
  });

  it('keeps a key that is added while it is worked on until that is done', async () => {
    const work = queue();
    work.add('a');
    await work.take();
    work.add('a');
    work.add('a');
    expect(work.depth).toBe(0);
    work.done('a');
    expect([work.depth, await work.take()]).toEqual([1, 'a']);
    work.done('a');
    expect(work.depth).toBe(0);
  });

  it('never gives one key to two, and loses none, whatever the order', async () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      action: fc.constantFrom('add', 'take', 'done'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step), async (steps) => {
        const work = queue();
        const held = new Set<string>();
        const wanted = new Set<string>();
        for (const { key, action } of steps) {
          if (action === 'add') {
            work.add(key);
            wanted.add(key);
          } else if (action === 'take' && work.depth > 0) {
            const taken = (await work.take())!;
            expect(held.has(taken)).toBe(false);
            held.add(taken);
            wanted.delete(taken);
          } else if (held.delete(key)) work.done(key);
        }
        for (const key of held) work.done(key);
        expect(work.depth).toBe(wanted.size);
        work.close();
      }),
    );
  });

  it('keeps the earliest of several times', async () => {
    vi.useFakeTimers();
    try {
      const work = queue();
      work.addAfter('a', 1000);
      work.addAfter('a', 50);
      work.addAfter('a', 5000);
      vi.advanceTimersByTime(50);
      expect(work.depth).toBe(1);
      await work.take();
      work.done('a');
      vi.advanceTimersByTime(10_000);
      expect(work.depth).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not come at once after a time that is too long for a timer', () => {
    vi.useFakeTimers();
    try {
      const work = queue();
      work.addAfter('a', 2 ** 31);
      vi.advanceTimersByTime(60_000);
      expect(work.depth).toBe(0);
      work.close();
    } finally {
      vi.useRealTimers();
    }
  });

  it('waits longer with every failure, up to five minutes, until it is forgotten', () => {
    vi.useFakeTimers();
    try {
      const work = queue();
      const waits: number[] = [];
      for (let failure = 0; failure < 20; failure++) {
        work.addRateLimited('a');
        let waited = 0;
        while (work.depth === 0) {
          vi.advanceTimersToNextTimer();
          waited++;
          if (waited > 2) break;
        }
        waits.push(work.failures('a'));
        void work.take();
        work.done('a');
      }
      expect(waits.at(-1)).toBe(20);
      work.forget('a');
      expect(work.failures('a')).toBe(0);
      work.close();
    } finally {
      vi.useRealTimers();
    }
  });

  it('lets all who wait go when it is closed', async () => {
    const work = queue();
    const waiting = [work.take(), work.take()];
    work.close();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    work.add('a');
    expect(work.depth).toBe(0);
  });
});
