import { keySecretName } from './identity.ts';
import { isEnded, type KeptKeys, type MigrationRecord } from './record.ts';

/** As many as a status can hold. */
const MAX_KEPT = 32;

/** All Secrets with keys that the migrations of a node have left, the newest last. */
export function keptKeys(record: MigrationRecord): readonly KeptKeys[] {
  const { earlierKeys = [], backup, finishedAt, phaseStartedAt } = record;
  const secretName = isEnded(record) ? backup?.secretName : undefined;
  if (secretName === undefined) return earlierKeys;
  return [...earlierKeys, { secretName, endedAt: finishedAt ?? phaseStartedAt }].slice(-MAX_KEPT);
}

/** One that was kept for long enough. */
export function outlivedKeys(record: MigrationRecord, retainMs: number, now: number): string | undefined {
  return keptKeys(record).find(({ endedAt }) => now - Date.parse(endedAt) >= retainMs)?.secretName;
}

/** The Secret with keys that is made now, or has to go; `retainMs`: how long one is kept. */
export function soughtKeys(
  record: MigrationRecord,
  node: string,
  retainMs: number,
  now: number,
): string | undefined {
  return record.phase === 'BackingUp' ? keySecretName(node, record.id) : outlivedKeys(record, retainMs, now);
}

/** The record once that Secret is gone. */
export function withoutKeys(record: MigrationRecord, name: string): MigrationRecord {
  const { earlierKeys = [], backup, ...rest } = record;
  const kept = earlierKeys.filter(({ secretName }) => secretName !== name);
  const { secretName, ...others } = backup ?? {};
  const own = backup && { backup: secretName === name ? (others as typeof backup) : backup };
  return { ...rest, ...own, ...(kept.length > 0 && { earlierKeys: kept }) };
}
