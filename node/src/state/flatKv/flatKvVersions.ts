import { join } from 'node:path';
import { openLevelDb } from '../../db/index.ts';
import { workingDirectory } from './layout.ts';
import { readState } from './metaRows.ts';
import { DATABASES, type DatabaseName } from './rows/physicalKey.ts';

/** Which version each database of a closed FlatKV is at. Throws DB_…, FLATKV_META_DAMAGED. */
export async function flatKvVersions(directory: string): Promise<ReadonlyMap<DatabaseName, number>> {
  const versions = new Map<DatabaseName, number>();
  for (const database of DATABASES) {
    const db = await openLevelDb({ directory: join(workingDirectory(directory), database) });
    try {
      versions.set(database, (await readState(db)).version);
    } finally {
      await db.close();
    }
  }
  return versions;
}
