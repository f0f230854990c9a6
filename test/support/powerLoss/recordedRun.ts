import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DevNode, startDevNode } from '../devNode.ts';
import { deployLoad, type Load } from '../load.ts';
import type { Random } from '../random.ts';
import { until } from '../until.ts';
import type { Recording } from './lossyDisk.ts';

/** Why no run can be recorded here; `undefined` when one can. */
export function recorderMissing(): string | undefined {
  if (process.platform !== 'linux') return 'the recorder needs Linux';
  return spawnSync('gcc', ['--version']).status === 0 ? undefined : 'the recorder needs gcc; install it';
}

export interface RunOptions {
  /** A directory that exists; everything is made below it. */
  readonly root: string;
  readonly split: boolean;
  /** Times that the node is started; all but the last end with kill -9. */
  readonly starts: number;
  /** Blocks of load in each, at least. */
  readonly blocks: number;
  readonly random: Random;
}

const heightOf = ({ announced }: Load): number => Number(announced?.number ?? 0);

/** Runs a real node under load from its first start on, with every sync and change of names written down. */
export async function recordRun({ root, split, starts, blocks, random }: RunOptions): Promise<Recording> {
  const recorder = join(root, 'recorder.so');
  execFileSync('gcc', [
    '-O1',
    '-shared',
    '-fPIC',
    '-o',
    recorder,
    join(import.meta.dirname, 'recorder.c'),
    '-ldl',
    '-lpthread',
  ]);
  const recording = {
    home: join(root, 'home'),
    graveyard: join(root, 'graveyard'),
    journal: join(root, 'journal'),
  };
  mkdirSync(recording.graveyard);
  const env = {
    LD_PRELOAD: recorder,
    POWER_ROOT: recording.home,
    POWER_GRAVEYARD: recording.graveyard,
    POWER_JOURNAL: recording.journal,
    // Calls that go past libc would not be seen.
    UV_USE_IO_URING: '0',
  };
  // Snapshots and cuts of the changelog fall into the run.
  const args = ['--set', 'state-commit.sc-snapshot-interval=15'];
  const announce = (height: number): void => appendFileSync(recording.journal, `announced\t${height}\n`);
  let load: Load | undefined;
  for (let start = 1; start <= starts; start++) {
    const node: DevNode = await startDevNode({ home: recording.home, split, blockTimeMs: 10, args, env });
    try {
      load ??= await deployLoad(node.url, random, announce);
      const before = heightOf(load);
      const loaded = load.run(node.url);
      await until('enough blocks under load', async () => heightOf(load!) >= before + blocks);
      await (start === starts ? node.stop() : node.kill9());
      await loaded;
    } finally {
      await node.kill9();
    }
  }
  return recording;
}
