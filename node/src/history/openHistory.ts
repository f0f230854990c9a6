import { CodedError, type Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import { logTableCheck, openLevelDb } from '../db/index.ts';
import type { Changelog } from '../state/changelog/index.ts';
import type { History } from './history.ts';
import { LevelHistory } from './levelHistory.ts';
import type { ReceiptOptions } from './receiptRetention.ts';
import { decodeBlockRecord } from './record/decodeRecord.ts';
import { type Extent, readExtent } from './rows.ts';

export interface HistoryOptions {
  readonly directory: string;
  /** The genesis document's; a new history begins with it. Default 1. */
  readonly initialHeight?: number;
  /** Newest blocks that are kept, with their receipts and logs; 0, the default, keeps all. */
  readonly retainBlocks?: number;
  /** Receipts, logs and results may go before their blocks; by default they stay as long. */
  readonly receipts?: ReceiptOptions;
  /** Whether transactions are found by their events; default true. */
  readonly indexEvents?: boolean;
  /** Encoded bytes of the records that stay decoded in memory. */
  readonly cacheBytes?: number;
}

export interface HistoryDeps {
  /** The changelog whose records history catches up from. */
  readonly changelog: Pick<Changelog, 'firstVersion' | 'lastVersion' | 'read'>;
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
}

const DEFAULT_CACHE_BYTES = 64 << 20;

/**
 * Opens or creates the history and appends what the changelog has above it. Throws HISTORY_BEHIND_CHANGELOG when
 * blocks between the two are gone, HISTORY_AHEAD when the changelog was cut below the history, and the errors of db.
 */
export async function openHistory(options: HistoryOptions, deps: HistoryDeps): Promise<History> {
  const db = await openLevelDb({
    directory: options.directory,
    onTablesChecked: logTableCheck(deps.logger),
  });
  try {
    const { initialHeight = 1 } = options;
    const extent = readExtent(db) ?? { first: initialHeight, last: initialHeight - 1 };
    checkAgainst(deps.changelog, extent, options.directory);
    const { logger, metrics } = deps;
    const history = new LevelHistory(
      {
        extent,
        cacheBytes: options.cacheBytes ?? DEFAULT_CACHE_BYTES,
        retainBlocks: options.retainBlocks ?? 0,
        indexEvents: options.indexEvents ?? true,
        receipts: options.receipts ?? { keepRecent: 0, pruneSeconds: 0 },
      },
      { db, logger, ...(metrics && { metrics }) },
    );
    await history.completeIndexes();
    await catchUp(history, extent.last, deps);
    return history;
  } catch (error) {
    await db.close();
    throw error;
  }
}

function checkAgainst(changelog: HistoryDeps['changelog'], extent: Extent, directory: string): void {
  const { firstVersion, lastVersion } = changelog;
  if (lastVersion === 0) return;
  const fields = { directory, latestHeight: extent.last, firstVersion, lastVersion };
  if (firstVersion > extent.last + 1) {
    throw new CodedError(
      'HISTORY_BEHIND_CHANGELOG',
      `history in ${directory} ends at block ${extent.last} and the changelog begins at ${firstVersion}: blocks between them are gone; restore data/history from a backup, or wipe the data and state sync`,
      { fields },
    );
  }
  if (lastVersion < extent.last) {
    throw new CodedError(
      'HISTORY_AHEAD',
      `history in ${directory} ends at block ${extent.last}, above the changelog's last, ${lastVersion}; put the changelog back that belongs to it`,
      { fields },
    );
  }
}

async function catchUp(history: History, from: number, { changelog, logger }: HistoryDeps): Promise<void> {
  if (changelog.lastVersion <= from) return;
  for (const { changes, record } of changelog.read(from + 1)) {
    if (record.length === 0) {
      throw new CodedError(
        'HISTORY_RECORD_ABSENT',
        `the changelog has no block record at version ${changes.version}; it was not written by this program`,
        { fields: { version: changes.version } },
      );
    }
    await history.append(decodeBlockRecord(record), record);
  }
  await history.flush();
  logger.info('History caught up from the changelog', { from: from + 1, to: changelog.lastVersion });
}
