import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson, writeFileDurably } from '@chain/platform';

/** One start of a node, with the lines that it logged about the state store. */
export interface StartRecord {
  readonly pid: number;
  /** ISO 8601. */
  readonly at: string;
  readonly release: string;
  readonly lines: readonly { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[];
}

const STARTUP_FILE = 'run/startup.json';
const KEPT = 10;

/** The newest starts, newest last; none when nothing was recorded or the file is no such record. */
export async function readStarts(home: string): Promise<readonly StartRecord[]> {
  try {
    const { starts } = parseJson(await readFile(join(home, STARTUP_FILE), 'utf8')) as {
      starts?: readonly StartRecord[];
    };
    return Array.isArray(starts) ? starts : [];
  } catch {
    return [];
  }
}

export async function recordStart(home: string, record: StartRecord): Promise<void> {
  const starts = [...(await readStarts(home)), record].slice(-KEPT);
  await writeFileDurably(join(home, STARTUP_FILE), `${JSON.stringify({ starts }, null, 2)}\n`);
}
