import type { Lifecycle, Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import { type History, openHistory } from '../history/index.ts';
import { refuseDuringMigration } from '../migrate/index.ts';
import { type Changelog, openChangelog } from '../state/changelog/index.ts';
import { openStateCommit, type StateCommit } from '../state/commit/index.ts';
import { type FlatKv, startFlatKv } from '../state/flatKv/index.ts';
import { refuseInterruptedRestore } from '../state/snapshot/index.ts';
import { openStateStore, type StateStore } from '../state/store/index.ts';
import { stateDirectories } from './stateDirectories.ts';
import {
  flatKvOptions,
  historyOptions,
  type StateSettings,
  stateCommitOptions,
  stateStoreOptions,
} from './stateOptions.ts';

/** All that is on disk of a chain, recovered to one height. */
export interface State {
  readonly changelog: Changelog;
  readonly stateCommit: StateCommit;
  /** With `sc-flatkv = "shadow"`. */
  readonly flatKv?: FlatKv;
  readonly stateStore: StateStore;
  readonly history: History;
}

export interface StateDeps {
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/**
 * Opens the changelog first, for all else recovers from it; then SC, which says how far the chain is; then SS
 * with its startup checks (spec S-19); then history; then FlatKV, SC's shadow, whose thread opens its
 * databases meanwhile.
 */
export async function openState(
  from: StateSettings,
  { lifecycle, logger, metrics }: StateDeps,
): Promise<State> {
  const { home, config } = from;
  refuseInterruptedRestore(home);
  const room = (name: string) => logger.child({ room: name });
  const changelog = lifecycle.own(
    await openChangelog(
      { directory: stateDirectories(home, config).changelog },
      { logger: room('state/changelog'), metrics },
    ),
  );
  // Behind the lock of the changelog: a migration that begins now sees it.
  await refuseDuringMigration(home);
  const flatKvSettings = flatKvOptions(from);
  const flatKvStart = flatKvSettings && lifecycle.own(startFlatKv(flatKvSettings, room('state/flatKv')));
  const stateCommit = lifecycle.own(
    await openStateCommit(stateCommitOptions(from), {
      changelog,
      logger: room('state/commit'),
      metrics,
    }),
  );
  const stateStore = lifecycle.own(
    await openStateStore(
      { ...stateStoreOptions(from), committedVersion: stateCommit.version },
      { changelog, logger: room('state/store'), metrics },
    ),
  );
  const history = lifecycle.own(
    await openHistory(historyOptions(from), { changelog, logger: room('history'), metrics }),
  );
  const state = { changelog, stateCommit, stateStore, history };
  if (!flatKvStart) return state;
  const flatKv = lifecycle.own(
    await flatKvStart.recover({ changelog, state: stateCommit, logger: room('state/flatKv'), metrics }),
  );
  return { ...state, flatKv };
}
