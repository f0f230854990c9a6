import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileDurably } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { verifyBackup } from '../backup/manifest.ts';
import { refuseWhileUsed } from '../homeUse.ts';
import type { Journal } from '../journal.ts';
import { restoreStep, targetSettings } from './dataSteps.ts';
import type { StepDeps } from './stepContext.ts';

/**
 * Puts back what a migration has changed, and says what that was. Before the wipe that is nothing. Behind it the data
 * are gone: keys and settings are put back, and the next start state syncs into the layout of before.
 */
export async function abortMigration(journal: Journal, deps: StepDeps): Promise<string> {
  const { access } = deps;
  const { home } = access;
  if (journal.steps.wipe === undefined) return 'nothing was changed';
  refuseWhileUsed(home, journal.wipe.emptied);
  const { directory } = journal.backup!;
  await verifyBackup(journal.backup!);
  await restoreStep(journal, deps);
  const target = {
    ...targetSettings(home, journal),
    split: journal.before.split,
    backend: journal.before.backend,
  };
  const read = (file: string) => readFile(join(directory, file), 'utf8');
  const texts = access.editSettings(
    { appToml: await read(CONFIG_FILES.appToml), configToml: await read(CONFIG_FILES.configToml) },
    target,
  );
  await writeFileDurably(join(home, CONFIG_FILES.appToml), texts.appToml, 0o644);
  await writeFileDurably(join(home, CONFIG_FILES.configToml), texts.configToml, 0o644);
  return `keys and settings are put back; the data were deleted, and the next start state syncs into the layout of before (evm-ss-split = ${target.split}, ${target.backend})`;
}
