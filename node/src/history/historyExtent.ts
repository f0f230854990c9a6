import { openLevelDb } from '../db/index.ts';
import { type Extent, readExtent } from './rows.ts';

/** What a closed history holds; `undefined` for one without a block. Throws DB_… . */
export async function historyExtent(directory: string): Promise<Extent | undefined> {
  const db = await openLevelDb({ directory });
  try {
    return readExtent(db);
  } finally {
    await db.close();
  }
}
