import type { LogFields, Logger } from '@chain/platform';
import { STARTUP_LINES } from '@chain/platform/contract';
import { recordStart } from '../migrate/index.ts';
import { openState, type State, type StateDeps } from './openState.ts';
import { RELEASE } from './release.ts';
import type { StateSettings } from './stateOptions.ts';

const LINES: readonly string[] = Object.values(STARTUP_LINES);

/**
 * Opens the state, and writes into `<home>/run/startup.json` which of the startup lines that has logged: a log may be
 * rotated away before anybody looks.
 */
export async function openRecordedState(from: StateSettings, deps: StateDeps): Promise<State> {
  const lines: { message: string; fields: LogFields }[] = [];
  const logger = watched(deps.logger, (message, fields) => {
    if (LINES.includes(message)) lines.push({ message, fields });
  });
  const state = await openState(from, { ...deps, logger });
  await recordStart(from.home, { pid: process.pid, at: new Date().toISOString(), release: RELEASE, lines });
  return state;
}

function watched(logger: Logger, onInfo: (message: string, fields: LogFields) => void): Logger {
  return {
    ...logger,
    info: (message, fields = {}) => {
      onInfo(message, fields);
      logger.info(message, fields);
    },
    child: (fields) => watched(logger.child(fields), onInfo),
  };
}
