import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { GENERAL_WRAPPERS } from '@chain/platform/wasmWrappers';
import { expect, it } from 'vitest';
import { bytesToHex } from '../../primitives/index.ts';
import { FlatKvEngine } from './engine.ts';
import { blockAt, FlatKvFixture } from './flatKv.fixture.ts';

const ROUNDS = 4;

it('has the rows and the hash of an unbroken run after a kill at any moment', async () => {
  const home = new FlatKvFixture();
  const unbroken = await FlatKvEngine.open(join(home.root, 'unbroken'));
  for (let round = 0; round < ROUNDS; round++) {
    const { logged, written } = await killed(home.root, 3 + ((round * 7919) % 40));
    await home.open();
    expect(home.changelog.lastVersion).toBeGreaterThanOrEqual(logged);
    expect(home.flatKv.version).toBeGreaterThanOrEqual(written);
    await home.flatKv.flushed();
    const { version } = home.state;
    while (unbroken.version < version) await unbroken.apply([blockAt(unbroken.version + 1)]);
    expect(home.flatKv.version).toBe(version);
    expect(bytesToHex(home.flatKv.hash)).toBe(bytesToHex(unbroken.hash));
    expect((await home.verified()).difference).toBeUndefined();
  }
  await unbroken.close();
  await home.end();
});

/** What the process reported last before it was killed, `blocks` after its start. */
async function killed(root: string, blocks: number): Promise<{ logged: number; written: number }> {
  const program = join(import.meta.dirname, 'blocksForever.fixture.ts');
  const child = spawn(process.execPath, [GENERAL_WRAPPERS, program, root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  let last = { logged: 0, written: 0 };
  let left = blocks;
  for await (const line of createInterface({ input: child.stdout })) {
    const [logged, written] = line.split(' ').map(Number) as [number, number];
    last = { logged, written };
    if (--left === 0) child.kill('SIGKILL');
  }
  await closed;
  return last;
}
