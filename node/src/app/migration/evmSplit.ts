import {
  createControlClient,
  Migration,
  type MigrationDeps,
  type MigrationOptions,
} from '../../migrate/index.ts';
import { openHomeAccess } from './homeAccess.ts';

export interface EvmSplitOptions extends MigrationOptions {
  readonly home: string;
}

/** `chaind migrate evm-split` of one home. */
export function evmSplitMigration(
  { home, ...options }: EvmSplitOptions,
  tell: Pick<MigrationDeps, 'tell' | 'agree' | 'onStep' | 'onChecks'>,
): Migration {
  return new Migration(options, {
    access: openHomeAccess(home),
    control: createControlClient(home),
    ...tell,
  });
}
