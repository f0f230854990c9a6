import { join } from 'node:path';
import { CodedError, type Logger } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { headerHash } from '../comet/index.ts';
import { keepLayout, loadConfig, type NodeConfig } from '../config/index.ts';
import { decodeBlockRecord } from '../history/index.ts';
import { equalBytes } from '../primitives/index.ts';
import { STORE_NAMES } from '../state/schema/index.ts';
import { openArchive, Restore, type SnapshotArchive } from '../state/snapshot/index.ts';
import type { BlockRecord } from '../types/index.ts';
import { beginHistory } from './beginHistory.ts';
import type { Progress } from './createHomeSnapshot.ts';
import { readGenesis } from './genesis.ts';
import { restoreTargetOf } from './snapshotPlaces.ts';
import type { StartOptions } from './startOptions.ts';

export interface ImportOptions extends StartOptions {
  readonly file: string;
  /** From a source that is trusted; without it only the archive vouches for itself. */
  readonly appHash?: Uint8Array;
}

export interface ImportedSnapshot {
  readonly height: number;
  readonly appHash: Uint8Array;
  readonly rows: number;
  /** Of the rows, those that an interrupted import before this one had left. */
  readonly resumedRows: number;
  /** Settings of app.toml that were changed to the layout that the data have. */
  readonly settled: readonly string[];
}

interface ImportDeps {
  readonly logger: Logger;
  readonly onProgress: Progress;
}

/** `chaind snapshot import`: restores an archive into a home without a chain. Throws APP_SNAPSHOT_…, SNAPSHOT_… . */
export async function importSnapshot(options: ImportOptions, deps: ImportDeps): Promise<ImportedSnapshot> {
  const config = await loadConfig(options);
  const { doc } = await readGenesis(join(config.home, CONFIG_FILES.genesis));
  const archive = await openArchive(options.file);
  try {
    const { chainId } = archive.restorePoint;
    if (chainId !== doc.chainId) throw otherChain(chainId, doc.chainId);
    const record = lastBlock(archive, config);
    const restore = await Restore.offer(
      archive.description,
      {
        target: restoreTargetOf(config),
        stores: STORE_NAMES,
        appHash: options.appHash ?? archive.restorePoint.appHash,
      },
      {
        beginHistory: (height) => beginHistory(config, { height, record, logger: deps.logger }),
        logger: deps.logger,
      },
    );
    return await applyAll(restore, archive, config, deps.onProgress);
  } finally {
    await archive.close();
  }
}

async function applyAll(
  restore: Restore,
  { description, chunks }: SnapshotArchive,
  config: NodeConfig,
  onProgress: Progress,
): Promise<ImportedSnapshot> {
  try {
    const settled = await keepLayout(config);
    for await (const chunk of chunks()) {
      await restore.applyChunk(restore.nextChunk, chunk);
      onProgress(restore.nextChunk, description.chunks);
    }
    const { rows, appHash } = await restore.finish();
    return { height: description.height, appHash, rows, resumedRows: restore.resumedRows, settled };
  } catch (error) {
    await restore.endAfter(error);
    throw error;
  }
}

/** The block of the snapshot's height. The embedded engine's next header names it; CometBFT has its own. */
function lastBlock(
  { description, restorePoint }: SnapshotArchive,
  { app }: NodeConfig,
): BlockRecord | undefined {
  const { height } = description;
  if (restorePoint.blockRecord.length === 0) {
    if (app.node.engine !== 'embedded') return undefined;
    throw new CodedError(
      'APP_SNAPSHOT_WITHOUT_BLOCK',
      `the archive does not hold block ${height}, and the embedded engine cannot go on without it; export a snapshot of a node that holds that block`,
      { fields: { height } },
    );
  }
  const record = decodeBlockRecord(restorePoint.blockRecord);
  const { header, id } = record.block;
  if (
    header.height === height &&
    header.chainId === restorePoint.chainId &&
    equalBytes(headerHash(header), id.hash)
  ) {
    return record;
  }
  throw new CodedError(
    'APP_SNAPSHOT_BLOCK',
    `the archive's block is of height ${header.height} and does not belong to its snapshot of height ${height}; export it again`,
    { fields: { height, found: header.height } },
  );
}

function otherChain(found: string, expected: string): CodedError {
  return new CodedError(
    'APP_SNAPSHOT_CHAIN',
    `the archive is a snapshot of chain "${found}", and this home's genesis is of "${expected}"; take a snapshot of this chain, or the genesis file of that one`,
    { fields: { found, expected } },
  );
}
