import type { Logger } from '@chain/platform';
import type { FrozenRows } from '../view/index.ts';
import type { EngineLink, EngineStatus } from './thread/messages.ts';
import { payloadOf } from './thread/payload.ts';

export interface RebuildDeps {
  readonly thread: EngineLink;
  readonly logger: Logger;
  /** Asked between two parts. */
  readonly isStopped: () => boolean;
}

/** So few that reading and packing them holds nobody up: the chain goes on on the same thread. */
const PART_ROWS = 1000;
const TELL_EVERY_MS = 10_000;

/**
 * Fills a new store, which has been begun, with every row of the state and puts it in its place; `undefined` when it
 * was stopped. The heights of earlier writes are not in the state: every row gets the state's version.
 */
export async function rebuild(
  rows: FrozenRows,
  { thread, logger, isStopped }: RebuildDeps,
): Promise<EngineStatus | undefined> {
  const { version, count } = rows;
  // One part ahead: the thread writes while the next part is read.
  let writing: Promise<unknown> = Promise.resolve();
  let toldAt = performance.now();
  let done = 0;
  for (const stores of rows.parts(PART_ROWS)) {
    const payload = payloadOf({ version, stores });
    await writing;
    if (isStopped()) return undefined;
    writing = thread.call({ kind: 'rows', payload });
    done += PART_ROWS;
    if (performance.now() - toldAt < TELL_EVERY_MS) continue;
    toldAt = performance.now();
    logger.info('FlatKV is being made from the state', { version, rows: Math.min(done, count), of: count });
  }
  await writing;
  if (version > 0) {
    await thread.call({ kind: 'rows', payload: payloadOf({ version, stores: [] }) });
  }
  return isStopped() ? undefined : thread.call({ kind: 'install' });
}
