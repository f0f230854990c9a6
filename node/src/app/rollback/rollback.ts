import { join } from 'node:path';
import { createLogger, Lifecycle, type Logger } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { loadConfig } from '../../config/index.ts';
import { readGenesis } from '../genesis.ts';
import type { StateSettings } from '../stateOptions.ts';
import { confirmRollback, type RollbackProgress, rewindLayers } from './performRollback.ts';
import { planRollback, type RollbackPlan, type RollbackWish } from './planRollback.ts';
import { type RollbackJournal, readJournal, writeJournal } from './rollbackJournal.ts';
import { openRollbackParts } from './rollbackParts.ts';

export interface RollbackOptions {
  readonly home: string;
  /** By setting name of app.toml. */
  readonly flags: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly wish: RollbackWish;
  readonly resetSignState: boolean;
}

export interface RollbackDeps {
  /** Shows the plan; false ends without a change. */
  readonly agree: (plan: RollbackPlan) => Promise<boolean>;
  readonly tell: RollbackProgress;
}

export interface RollbackResult {
  readonly outcome: 'done' | 'declined' | 'finished an interrupted one';
  readonly height: number;
  /** Of the state at `height`; absent when nothing was done. */
  readonly appHash?: Uint8Array;
}

/**
 * `chaind rollback`: takes a stopped home back to an older height. One that was cut short is finished instead,
 * to its own target. Throws DIRECTORY_LOCKED while a node runs, APP_ROLLBACK_… before anything has changed.
 */
export async function rollback(
  options: RollbackOptions,
  { agree, tell }: RollbackDeps,
): Promise<RollbackResult> {
  const { home, app } = await loadConfig(options);
  const { doc } = await readGenesis(join(home, CONFIG_FILES.genesis));
  const settings = { home, config: app, initialHeight: doc.initialHeight };
  const logger = createLogger({
    level: 'warn',
    format: 'pretty',
    write: (line) => process.stderr.write(line),
  });
  const finished = await finishRollback(settings, { logger, tell });
  if (finished) return { outcome: 'finished an interrupted one', ...finished };
  const lifecycle = new Lifecycle();
  try {
    const parts = await openRollbackParts(settings, { lifecycle, logger });
    const plan = await planRollback(options.wish, {
      settings,
      parts,
      mayResetSignState: options.resetSignState,
    });
    if (!(await agree(plan))) return { outcome: 'declined', height: plan.from };
    const { from, target, resetSignState } = plan;
    const journal = { from, target, resetSignState };
    await writeJournal(home, journal);
    await rewindLayers(settings, journal, parts, tell);
  } finally {
    await lifecycle.close();
  }
  return { outcome: 'done', ...(await confirmRollback(settings, { logger, tell })) };
}

/** Finishes a rollback that was cut short; `undefined` when there is none. Every start calls it first. */
export async function finishRollback(
  settings: StateSettings,
  { logger, tell }: { readonly logger: Logger; readonly tell: RollbackProgress },
): Promise<{ height: number; appHash: Uint8Array } | undefined> {
  const journal: RollbackJournal | undefined = await readJournal(settings.home);
  if (!journal) return undefined;
  logger.warn('A rollback was cut short and is finished now', { ...journal });
  const lifecycle = new Lifecycle();
  try {
    await rewindLayers(settings, journal, await openRollbackParts(settings, { lifecycle, logger }), tell);
  } finally {
    await lifecycle.close();
  }
  return confirmRollback(settings, { logger, tell });
}
