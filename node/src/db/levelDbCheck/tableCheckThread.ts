import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { damageInTable } from './tableCheck.ts';

export interface TableCheckJob {
  readonly tables: readonly string[];
  readonly bytesPerSecond: number;
}

/** The one message of the thread; with `damage`, what came before it is whole. */
export interface TableCheckReply {
  readonly tables: number;
  readonly bytes: number;
  readonly damage?: { readonly path: string; readonly offset: number };
}

const { tables, bytesPerSecond } = workerData as TableCheckJob;
parentPort!.postMessage(await check());

async function check(): Promise<TableCheckReply> {
  const done = { tables: 0, bytes: 0 };
  for (const path of tables) {
    const started = performance.now();
    const file = await readFile(path).catch(absentIfMerged);
    if (file === undefined) continue;
    const offset = damageInTable(file);
    if (offset !== undefined) return { ...done, damage: { path, offset } };
    done.tables++;
    done.bytes += file.length;
    const spent = performance.now() - started;
    await sleep(Math.max(0, (file.length / bytesPerSecond) * 1000 - spent));
  }
  return done;
}

/** LevelDB merges tables into new ones meanwhile. */
function absentIfMerged(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
