import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, writeFileDurably } from '@chain/platform';

const STAMP = 'data/engine';

/**
 * Ties the data to the engine that made it. A start with the other one is refused: the same key could sign
 * twice (spec N-6). Throws APP_ENGINE_CHANGED.
 */
export async function stampEngine(home: string, engine: string): Promise<void> {
  if (!(await requireStampedEngine(home, engine))) await writeFileDurably(join(home, STAMP), `${engine}\n`);
}

/** Whether there is a stamp. Throws APP_ENGINE_CHANGED when it is another engine's. */
export async function requireStampedEngine(home: string, engine: string): Promise<boolean> {
  const stamped = await readFile(join(home, STAMP), 'utf8').catch((error: NodeJS.ErrnoException) => {
    // Only an absent stamp may be written: one that cannot be read may be the other engine's.
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (stamped === undefined) return false;
  if (stamped.trim() === engine) return true;
  throw new CodedError(
    'APP_ENGINE_CHANGED',
    `the data in ${home} was made by the engine "${stamped.trim()}"; set [node] engine = "${stamped.trim()}" in app.toml, or state sync into a wiped home`,
    { fields: { home, stamped: stamped.trim(), engine } },
  );
}
