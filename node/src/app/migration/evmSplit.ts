import {
  type ControlStatus,
  createControlClient,
  Migration,
  type MigrationDeps,
  type MigrationOptions,
} from '../../migrate/index.ts';
import { openHomeAccess } from './homeAccess.ts';

export interface EvmSplitOptions extends MigrationOptions {
  readonly home: string;
  /** Where the node's listeners are found, where that is not what it says itself: from another pod, for instance. */
  readonly listeners?: Pick<ControlStatus, 'consensusRpc' | 'jsonRpc'>;
}

/** `chaind migrate evm-split` of one home. */
export function evmSplitMigration(
  { home, listeners, ...options }: EvmSplitOptions,
  tell: Pick<MigrationDeps, 'tell' | 'agree' | 'onStep' | 'onChecks'>,
): Migration {
  const control = createControlClient(home);
  return new Migration(options, {
    access: openHomeAccess(home),
    control: { ...control, status: async () => foundAt(await control.status(), listeners) },
    ...tell,
  });
}

function foundAt(
  status: ControlStatus | undefined,
  listeners: EvmSplitOptions['listeners'],
): ControlStatus | undefined {
  return status && { ...status, ...listeners };
}
