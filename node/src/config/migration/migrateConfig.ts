import { constants, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileDurably } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { rewriteHyphens } from '../cometHyphens.ts';
import { readHomeFile } from '../readHomeFile.ts';
import { migrateToml, type TomlChange } from './migrateToml.ts';

export interface FileMigration {
  readonly path: string;
  readonly changes: readonly TomlChange[];
  readonly text: string;
}

/** What has to change in both files of a home; empty when nothing has. Writes nothing. Throws CONFIG_MISSING, CONFIG_SYNTAX, CONFIG_MIGRATION. */
export async function planMigration(home: string): Promise<readonly FileMigration[]> {
  const app = join(home, CONFIG_FILES.appToml);
  const comet = join(home, CONFIG_FILES.configToml);
  const plans = [
    { path: app, ...migrateToml(await readHomeFile(home, CONFIG_FILES.appToml)) },
    { path: comet, ...migrateCometToml(await readHomeFile(home, CONFIG_FILES.configToml)) },
  ];
  return plans.filter(({ changes }) => changes.length > 0);
}

/** Writes a plan, each file beside a backup of what it was; gives the paths of the backups. */
export async function writeMigration(plan: readonly FileMigration[]): Promise<readonly string[]> {
  const backups: string[] = [];
  for (const { path, text } of plan) {
    backups.push(await backUp(path));
    await writeFileDurably(path, text, 0o644);
  }
  return backups;
}

function migrateCometToml(text: string): Pick<FileMigration, 'text' | 'changes'> {
  const rewritten = rewriteHyphens(text).text;
  const [before, after] = [text.split('\n'), rewritten.split('\n')];
  const changes = before.flatMap((line, at) =>
    line === after[at]
      ? []
      : [
          {
            line: at + 1,
            section: '',
            before: [line],
            after: [after[at]!],
            why: 'CometBFT spells it with underscores',
          },
        ],
  );
  return { text: rewritten, changes };
}

/** `app.toml.bak`, or the first of `.bak2`, `.bak3`… that is free: an earlier backup is never replaced. */
async function backUp(path: string): Promise<string> {
  for (let number = 1; ; number++) {
    const backup = `${path}.bak${number === 1 ? '' : number}`;
    try {
      await copyFile(path, backup, constants.COPYFILE_EXCL);
      return backup;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
