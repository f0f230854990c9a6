import type { Logger } from '@chain/platform';
import { logTableCheck } from '../../db/index.ts';
import type { FlatKv } from './flatKv.ts';
import { type FlatKvDeps, type FlatKvOptions, StartedFlatKv } from './startedFlatKv.ts';
import { EngineThreadClient } from './thread/engineThreadClient.ts';

/**
 * Opens or creates FlatKV and brings it to SC's version: by replaying the changelog from the lowest of the four
 * databases, or, when the changelog does not join them (switched on late, a restore, a rollback), by a rebuild
 * from SC's rows. Throws DIRECTORY_LOCKED, DB_…, FLATKV_DAMAGED and other FLATKV_… .
 */
export async function openFlatKv(options: FlatKvOptions, deps: FlatKvDeps): Promise<FlatKv> {
  return startFlatKv(options, deps.logger).recover(deps);
}

/** The same in two parts: its thread loads and opens the databases while SC, SS and history are opened. */
export function startFlatKv(options: FlatKvOptions, logger: Logger): StartedFlatKv {
  const { directory, bytesCheckedAtOpen } = options;
  const onTablesChecked = logTableCheck(logger);
  return new StartedFlatKv(
    () => new EngineThreadClient({ directory, bytesCheckedAtOpen }, { onTablesChecked }),
    options,
  );
}
