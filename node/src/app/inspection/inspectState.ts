import { loadConfig } from '../../config/index.ts';
import { lockHolder } from '../../state/changelog/index.ts';
import type { StartOptions } from '../startOptions.ts';
import { stateDirectories } from '../stateDirectories.ts';
import { inspectLayers, type Layer } from './inspectLayers.ts';
import { makeShadowHome } from './shadowHome.ts';
import { type StartVerdict, tryStart } from './tryStart.ts';

export interface StateInspection {
  readonly home: string;
  readonly mode: string;
  readonly engine: string;
  readonly backend: string;
  readonly split: boolean;
  readonly separateDbs: boolean;
  /** The process that runs this home now. */
  readonly runningPid: number | undefined;
  readonly layers: readonly Layer[];
  readonly start: StartVerdict;
}

/**
 * What is on disk of a home, and whether a start with this configuration would go through: the start is tried in
 * a temporary copy, so nothing of the home changes, also while its node runs. Throws CONFIG_*, APP_HOME_IN_MOTION.
 */
export async function inspectState(options: StartOptions): Promise<StateInspection> {
  const { home } = options;
  const { app: config } = await loadConfig(options);
  const directories = stateDirectories(home, config);
  const runningPid = lockHolder(directories.changelog);
  const store = config['state-store'];
  const shadow = await makeShadowHome({ home, config });
  try {
    return {
      home,
      mode: config.node.mode,
      engine: config.node.engine,
      backend: store['ss-backend'],
      split: store['evm-ss-split'],
      separateDbs: store['evm-ss-separate-dbs'],
      runningPid,
      layers: await inspectLayers(home, config, shadow),
      start: await tryStart({ home, config }, shadow),
    };
  } finally {
    await shadow.remove();
  }
}
