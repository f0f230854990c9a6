import { lockHolder } from '../state/changelog/index.ts';
import { isBetweenWipeAndSeal, isDone, isHeld, readJournal } from './journal.ts';
import { migrationPlaces } from './layout.ts';
import { migrationErrors } from './migrationErrors.ts';

/**
 * Throws MIGRATE_RUNNING while a migration works on the home, or was cut short between deleting data and putting the
 * keys back. A start asks after it has locked the home: one of the two sees the other.
 */
export async function refuseDuringMigration(home: string): Promise<void> {
  const journal = await readJournal(home);
  if (journal?.outcome !== 'running') return;
  const cutShort = isBetweenWipeAndSeal(journal);
  const pid = lockHolder(migrationPlaces(home).root);
  const works = pid !== undefined && isDone(journal, 'stop') && !isDone(journal, 'seal');
  if (!cutShort && !works && !isHeld(journal)) return;
  throw migrationErrors.running(
    `migration ${journal.id} of ${home} ${works ? `is worked on by process ${pid}` : cutShort ? 'was cut short' : 'has stopped the node'}; run "chaind migrate evm-split --home ${home}" to bring it to its end`,
    { home },
  );
}
