import type { AppConfig } from '../config/index.ts';
import type { HistoryOptions } from '../history/index.ts';
import type { StateCommitOptions } from '../state/commit/index.ts';
import type { FlatKvOptions } from '../state/flatKv/index.ts';
import { STORE_NAMES } from '../state/schema/index.ts';
import type { StateStoreOptions } from '../state/store/index.ts';
import { stateDirectories } from './stateDirectories.ts';

/** From which the options of each store follow. */
export interface StateSettings {
  readonly home: string;
  readonly config: AppConfig;
  readonly initialHeight: number;
  /** Whether transactions are found by their events; default true. */
  readonly indexEvents?: boolean;
}

export function stateCommitOptions({ home, config, initialHeight }: StateSettings): StateCommitOptions {
  const commit = config['state-commit'];
  return {
    directory: stateDirectories(home, config).commit,
    stores: STORE_NAMES,
    initialVersion: initialHeight,
    snapshotInterval: commit['sc-snapshot-interval'],
    snapshotMinSeconds: commit['sc-snapshot-min-time-interval'],
    snapshotBytesPerSecond: commit['sc-snapshot-write-rate-mbps'] * 1_000_000,
    snapshotKeepRecent: commit['sc-keep-recent'],
    provableVersions: commit['sc-provable-versions'],
  };
}

export function stateStoreOptions({
  home,
  config,
  initialHeight,
}: StateSettings): Omit<StateStoreOptions, 'committedVersion'> {
  const store = config['state-store'];
  return {
    home,
    backend: store['ss-backend'],
    split: store['evm-ss-split'],
    separateDbs: store['evm-ss-separate-dbs'],
    ...(store['ss-db-directory'] && { baseDirectory: store['ss-db-directory'] }),
    ...(store['evm-ss-db-directory'] && { evmDirectory: store['evm-ss-db-directory'] }),
    asyncWriteBuffer: store['ss-async-write-buffer'],
    keepRecent: store['ss-keep-recent'],
    pruneIntervalSeconds: store['ss-prune-interval'],
    initialVersion: initialHeight,
  };
}

/** The fewest blocks that `pruning = "everything"` leaves. */
const FEWEST_BLOCKS = 1000;

export function historyOptions({
  home,
  config,
  initialHeight,
  indexEvents = true,
}: StateSettings): HistoryOptions {
  const { pruning, 'min-retain-blocks': retained } = config.base;
  const retainBlocks = pruning === 'everything' ? FEWEST_BLOCKS : retained;
  const receipts = config['receipt-store'];
  return {
    directory: stateDirectories(home, config).history,
    initialHeight,
    indexEvents,
    receipts: { keepRecent: receipts['keep-recent'], pruneSeconds: receipts['prune-interval-seconds'] },
    retainBlocks: pruning === 'nothing' ? 0 : retainBlocks,
  };
}

/** `undefined` with `sc-flatkv = "off"`. */
export function flatKvOptions({ home, config, initialHeight }: StateSettings): FlatKvOptions | undefined {
  if (config['state-commit']['sc-flatkv'] === 'off') return undefined;
  return { directory: stateDirectories(home, config).flatKv, initialVersion: initialHeight };
}
