import { type ChainNode, type ChainNodeStatus, timestampOf, withNulls } from '../api/index.ts';
import { isEnded, type MigrationRecord, targetOf } from '../plan/index.ts';

type StatusChange = Partial<Pick<ChainNodeStatus, 'migration' | 'migrationHistory' | 'stateStore'>>;

const KEPT_HISTORY = 5;

/** The members of the status that a new record leads to; what an end means for the layout is written with it. */
export function statusOf({ status, spec }: ChainNode, record: MigrationRecord): StatusChange {
  const before = status?.migration as MigrationRecord | undefined;
  const migration = withNulls(before, {
    ...record,
    message: record.message.slice(0, 4000),
  }) as MigrationRecord;
  const hasEnded = isEnded(record) && !(before?.id === record.id && isEnded(before));
  return {
    migration,
    ...(hasEnded && {
      migrationHistory: [summary(record, status), ...(status?.migrationHistory ?? [])].slice(0, KEPT_HISTORY),
    }),
    ...(hasEnded &&
      record.pastPointOfNoReturn && { stateStore: storeAfter(record, spec.stateSync.requestId, status) }),
  };
}

function storeAfter(
  record: MigrationRecord,
  requestId: string | undefined,
  status: ChainNodeStatus | undefined,
): NonNullable<ChainNodeStatus['stateStore']> {
  const { backend, evmSplit } = targetOf(record);
  const asked = record.requestId ?? status?.stateStore?.requestId ?? requestId;
  return {
    backend,
    evmSplit,
    layout: 'current',
    activatedAt: timestampOf(Date.parse(record.finishedAt ?? record.phaseStartedAt)),
    ...(asked !== undefined && { requestId: asked }),
    ...snapshotOf(record, status),
  };
}

/** The snapshot is where the node's history begins, which it tells once it runs; it is never below the trusted block. */
function snapshotOf(
  { trust, pastPointOfNoReturn }: MigrationRecord,
  status: ChainNodeStatus | undefined,
): { readonly snapshotHeight?: number } {
  if (!trust || !pastPointOfNoReturn) return {};
  return { snapshotHeight: Math.max(trust.height, status?.chain?.earliest ?? 0) };
}

function summary(
  record: MigrationRecord,
  status: ChainNodeStatus | undefined,
): NonNullable<ChainNodeStatus['migrationHistory']>[number] {
  const { id, kind, reason, startedAt, finishedAt = record.phaseStartedAt, attempt, phase } = record;
  return {
    id,
    kind,
    reason,
    startedAt,
    finishedAt,
    attempts: attempt,
    ...snapshotOf(record, status),
    result: phase === 'Succeeded' ? 'Succeeded' : 'RolledBack',
    durationSeconds: Math.max(0, Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000)),
  };
}
