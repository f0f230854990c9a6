import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { GENERAL_WRAPPERS } from '@chain/platform/wasmWrappers';
import { describe, expect, it } from 'vitest';
import { encodeBlockRecord } from '../history/index.ts';
import { KILL_LAYOUTS } from '../killLayouts.fixture.ts';
import { bytesToHex } from '../primitives/index.ts';
import { type OpenedChain, openTestChain } from './chain.fixture.ts';

const FIXTURE = fileURLToPath(new URL('./blocksForever.fixture.ts', import.meta.url));
/** Per layout; `npm run test:soak` asks for more. */
const KILLS = Number(process.env.CRASH_KILLS ?? 1);

/** Lets the fixture announce `blocks` blocks, kills it and gives the last height that it announced. */
async function killAfter(home: string, split: boolean, blocks: number): Promise<number> {
  const child = spawn(process.execPath, [GENERAL_WRAPPERS, FIXTURE, home, String(split)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let announced = 0;
  let left = blocks;
  for await (const line of createInterface(child.stdout)) {
    announced = Number(line);
    if (--left === 0) child.kill('SIGKILL');
  }
  const [, signal] = await exited;
  expect(signal).toBe('SIGKILL');
  return announced;
}

async function replayOnto({ chain }: OpenedChain, survivor: OpenedChain): Promise<void> {
  while (chain.height < survivor.chain.height) {
    const record = survivor.parts.history.blockByHeight(chain.nextHeight)!;
    const again = await chain.applyBlock(record.block);
    expect(bytesToHex(encodeBlockRecord(again.record))).toBe(bytesToHex(encodeBlockRecord(record)));
  }
}

function expectSameHistory(survivor: OpenedChain, replay: OpenedChain): void {
  for (const { changes } of replay.parts.changelog.read(replay.parts.changelog.firstVersion)) {
    for (const { store, changes: written } of changes.stores) {
      for (const { key, value } of written) {
        expect(survivor.parts.stateStore.get(store, key, changes.version) ?? null).toEqual(value);
      }
    }
  }
}

describe('chain after kill -9', () => {
  it.each(KILL_LAYOUTS)(
    'has every announced block and the state of a replay (split %s)',
    { timeout: 120_000 + KILLS * 60_000 },
    async (split) => {
      const root = mkdtempSync(join(tmpdir(), 'chain-crash-'));
      const home = join(root, 'home');
      const replay = await openTestChain(join(root, 'replay'), { split });
      for (let kill = 1; kill <= KILLS; kill++) {
        const announced = await killAfter(home, split, (1 + (kill % 5)) * 9);
        const survivor = await openTestChain(home, { split });
        expect(survivor.chain.height).toBeGreaterThanOrEqual(announced);
        await replayOnto(replay, survivor);
        expect(bytesToHex(survivor.chain.appHash)).toBe(bytesToHex(replay.chain.appHash));
        expectSameHistory(survivor, replay);
        await survivor.close();
      }
      await replay.close();
      rmSync(root, { recursive: true, force: true });
    },
  );
});
