import type { Logger } from '@chain/platform';
import type { KeyValueDb } from '../../db/index.ts';
import { type Extent, OLD_FILTER_RANGE, recordKey } from '../rows.ts';
import type { LogIndex } from './logIndex.ts';
import { firstHeightOf, sectionOf } from './section.ts';
import { deleteRange } from './sectionRows.ts';

const PROGRESS_MS = 5_000;

/**
 * Brings the index to the end of the extent: makes sections that are not on disk, all of them in a home of an
 * older release, and reads the blocks of the newest one. Tells how far it is when that takes long.
 */
export async function completeIndex(
  index: LogIndex,
  extent: Extent,
  { db, logger }: { readonly db: KeyValueDb; readonly logger: Logger },
): Promise<void> {
  let told = performance.now();
  const begun = told;
  let isTelling = false;
  for (let section = sectionOf(extent.first); firstHeightOf(section) <= extent.last; section++) {
    const isWhole = firstHeightOf(section + 1) - 1 <= extent.last;
    if (isWhole && index.isOnDisk(section)) continue;
    await addBlocks(index, section, { extent, db });
    if (performance.now() - told < PROGRESS_MS) continue;
    told = performance.now();
    isTelling = true;
    const block = Math.min(extent.last, firstHeightOf(section + 1) - 1);
    logger.info('Indexing the logs of older blocks', { block, of: extent.last });
  }
  await index.flush();
  await deleteRange(db, OLD_FILTER_RANGE);
  if (!isTelling) return;
  const seconds = Math.round((performance.now() - begun) / 1000);
  logger.info('Indexed the logs of older blocks', { blocks: extent.last - extent.first + 1, seconds });
}

/** Adds the blocks of a section that the extent has. */
async function addBlocks(
  index: LogIndex,
  section: number,
  { extent, db }: { readonly extent: Extent; readonly db: KeyValueDb },
): Promise<void> {
  const first = Math.max(extent.first, firstHeightOf(section));
  const last = Math.min(extent.last, firstHeightOf(section + 1) - 1);
  index.restartAt(firstHeightOf(section));
  let height = first;
  for await (const [, encoded] of db.iterate({ start: recordKey(first), end: recordKey(last + 1) })) {
    index.add(height++, encoded);
  }
  await index.room();
}
