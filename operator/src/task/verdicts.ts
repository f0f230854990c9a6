import type { ChainNode, NODE_CONDITIONS, Verdict } from '../api/index.ts';
import { isEnded, type MigrationRecord, type ObservedState, sameLayout } from '../plan/index.ts';

type NodeVerdict = Verdict<typeof NODE_CONDITIONS>;
type Status = NodeVerdict['status'];

/** What the conditions say of a migration. */
export function verdictsOf(
  { spec }: ChainNode,
  record: MigrationRecord | undefined,
  observed: ObservedState,
): NodeVerdict[] {
  return [
    converged(record, observed),
    progress(record),
    backup(record),
    ...asks(record),
    spec.stateSync.trust
      ? trust(record)
      : verdict('TrustReady', 'False', 'NotApplicable', 'no state sync is asked for'),
  ];
}

const verdict = <T extends NodeVerdict['type']>(
  type: T,
  status: Status,
  reason: Extract<NodeVerdict, { type: T }>['reason'],
  message: string,
): NodeVerdict => ({ type, status, reason, message }) as NodeVerdict;

function converged(
  record: MigrationRecord | undefined,
  { actual, wanted, settings }: ObservedState,
): NodeVerdict {
  const type = 'StateStoreConverged';
  if (actual === undefined) return verdict(type, 'Unknown', 'Unknown', 'the layout was not seen yet');
  if (record && !isEnded(record)) {
    const said = `attempt ${record.attempt}: ${record.phase}: ${record.message}`;
    if (record.phase === 'Held') return verdict(type, 'False', 'Held', said);
    return verdict(type, 'False', record.phase === 'Blocked' ? 'Blocked' : 'Migrating', said);
  }
  if (sameLayout(actual, wanted)) return verdict(type, 'True', 'Converged', 'as the spec asks for');
  if (settings.policy === 'Disabled')
    return verdict(type, 'False', 'Disabled', 'migration.policy is Disabled');
  if (actual.backend !== wanted.backend) return verdict(type, 'False', 'BackendPending', said(record));
  return verdict(type, 'False', wanted.evmSplit ? 'SplitPending' : 'UnsplitPending', said(record));
}

const said = (record: MigrationRecord | undefined): string =>
  record?.phase === 'RolledBack'
    ? `the last migration was given up: ${record.message}`
    : 'a migration follows';

const WAITING: readonly string[] = ['Pending', 'Blocked', 'WaitingForSlot'];

function progress(record: MigrationRecord | undefined): NodeVerdict {
  const type = 'MigrationInProgress';
  if (!record) return verdict(type, 'False', 'None', 'there is none');
  const { phase, message } = record;
  if (phase === 'Succeeded') return verdict(type, 'False', 'Succeeded', message);
  if (phase === 'RolledBack') return verdict(type, 'False', 'RolledBack', message);
  if (phase === 'Held') return verdict(type, 'True', 'Held', message);
  return verdict(type, 'True', WAITING.includes(phase) ? 'Waiting' : 'Running', `${phase}: ${message}`);
}

/** What else the node may wait for, its restart, is not the migration's to say. */
function asks(record: MigrationRecord | undefined): NodeVerdict[] {
  if (record?.phase !== 'WaitingForSlot' || record.reason !== 'WaitingForFleet') return [];
  return [verdict('DisruptionPending', 'True', 'Migration', record.message)];
}

function backup(record: MigrationRecord | undefined): NodeVerdict {
  const type = 'BackupVerified';
  if (!record) return verdict(type, 'False', 'NotApplicable', 'there is no migration');
  if (record.backup) {
    return verdict(type, 'True', 'DigestMatched', `${record.backup.path}, ${record.backup.manifestSha256}`);
  }
  if (record.reason === 'BackupFailed') return verdict(type, 'False', 'Failed', record.message);
  return verdict(type, 'False', 'Pending', 'it is made before anything is deleted');
}

function trust(record: MigrationRecord | undefined): NodeVerdict {
  const type = 'TrustReady';
  if (record?.trust) {
    return verdict(
      type,
      'True',
      'Agreed',
      `height ${record.trust.height}, ${record.trust.agreed} servers agree`,
    );
  }
  if (record?.reason === 'TrustDisagrees') return verdict(type, 'False', 'Disagreeing', record.message);
  if (record?.reason === 'TrustWrongChain') return verdict(type, 'False', 'WrongChain', record.message);
  if (record?.reason === 'TrustStale') return verdict(type, 'False', 'Stale', record.message);
  if (record?.reason === 'TrustUnreachable') return verdict(type, 'False', 'TooFewServers', record.message);
  return verdict(type, 'False', 'NotResolved', 'nobody has asked for it yet');
}
