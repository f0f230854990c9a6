import type { MigrationReason } from '../../../api/index.ts';
import { type Decision, enter } from '../decision.ts';
import type { ObservedState } from '../observedState.ts';
import type { Command, MigrationRecord, Phase } from '../record.ts';

export interface HoldReason {
  readonly reason: MigrationReason;
  readonly message: string;
}

/** Nothing more is done until somebody decides; the record says what may be typed. */
export function held(
  observed: ObservedState,
  record: MigrationRecord,
  { reason, message }: HoldReason,
): Decision {
  return enter(observed, record, 'Held', {
    reason,
    message,
    heldIn: record.phase,
    ...(record.job && { job: record.job }),
    try: record.try,
    commands: commandsFor(observed, { ...record, heldIn: record.phase }),
  });
}

/** What is possible from there. */
export function possibleCommands({
  heldIn,
  pastPointOfNoReturn,
  goingBack,
}: Pick<MigrationRecord, 'heldIn' | 'pastPointOfNoReturn' | 'goingBack'>): readonly Command[] {
  if (!pastPointOfNoReturn) return heldIn === 'Aborting' ? ['retry'] : ['retry', 'abort'];
  if (goingBack) return ['retry'];
  return heldIn === 'Verifying' ? ['retry', 'resync', 'rollback'] : ['retry', 'rollback'];
}

function commandsFor({ node, now }: ObservedState, record: MigrationRecord): string[] {
  const value = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return possibleCommands(record).map(
    (command) =>
      `kubectl -n ${node.namespace} annotate --overwrite cn ${node.name} chain.dev/${command}=${value}`,
  );
}

/** A command that has not been obeyed yet. */
export function newCommand(
  { commands }: ObservedState,
  { obeyed }: MigrationRecord,
  command: Command,
): string | undefined {
  const value = commands[command];
  return value !== undefined && value !== '' && obeyed?.[command] !== value ? value : undefined;
}

export const obeying = (
  record: MigrationRecord,
  command: Command,
  value: string,
): Partial<MigrationRecord> => ({
  obeyed: { ...record.obeyed, [command]: value },
});

/** While nobody has deleted anything. */
export const BEFORE_TAKING_AWAY: readonly Phase[] = ['Pending', 'Preflight', 'Blocked', 'WaitingForSlot'];
