import { join } from 'node:path';
import { openLevelDb } from '../../../db/index.ts';
import { lockDirectory } from '../../changelog/index.ts';
import type { RangeReads } from '../../view/index.ts';
import { latticeHash, sumOf } from '../latticeSum.ts';
import { workingDirectory } from '../layout.ts';
import { LtHasher } from '../ltHasher.ts';
import { DATABASES } from '../rows/physicalKey.ts';
import { type FlatKvDifference, verifyDatabase } from './verifyDatabase.ts';

export interface FlatKvReport {
  /** Of the rows themselves, recomputed: 32 bytes. */
  readonly hash: Uint8Array;
  readonly rows: number;
  readonly difference: FlatKvDifference | undefined;
}

export interface VerifyOptions {
  readonly directory: string;
  readonly stores: readonly string[];
  /** What the state is at. */
  readonly version: number;
}

/**
 * Compares every row of a closed FlatKV with the state of the same version, and recomputes every sum from the
 * rows. Ends at the first difference. The state must not move meanwhile. Throws DIRECTORY_LOCKED, DB_…,
 * FLATKV_META_DAMAGED, FLATKV_ROW_FORMAT.
 */
export async function verifyFlatKv(options: VerifyOptions, state: RangeReads): Promise<FlatKvReport> {
  const lock = lockDirectory(options.directory);
  try {
    const hasher = new LtHasher();
    const sums: Uint8Array[] = [];
    let rows = 0;
    let difference: FlatKvDifference | undefined;
    for (const database of DATABASES) {
      const db = await openLevelDb({ directory: join(workingDirectory(options.directory), database) });
      try {
        const result = await verifyDatabase({ database, db }, options, { state, hasher });
        sums.push(result.sum);
        rows += result.rows;
        difference = result.difference;
      } finally {
        await db.close();
      }
      if (difference) break;
    }
    return { hash: latticeHash(sumOf(sums)), rows, difference };
  } finally {
    lock.release();
  }
}
