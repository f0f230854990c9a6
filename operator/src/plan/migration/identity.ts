import { createHash } from 'node:crypto';
import type { MigrationKind } from '../../api/index.ts';
import type { JobPart, Layout, MigrationRecord } from './record.ts';

/** The same wish has the same id, whoever computes it: two operators cannot begin two migrations. */
export function migrationId(kind: MigrationKind, wish: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(wish)).digest('hex').slice(0, 6);
  return `${SLUGS[kind]}-${digest}`;
}

const SLUGS: Readonly<Record<MigrationKind, string>> = {
  EvmSplitEnable: 'evmsplit',
  EvmSplitDisable: 'unsplit',
  BackendChange: 'backend',
  StateSync: 'resync',
};

export function kindOf(from: Layout, to: Layout): MigrationKind {
  if (from.evmSplit !== to.evmSplit) return to.evmSplit ? 'EvmSplitEnable' : 'EvmSplitDisable';
  return from.backend === to.backend ? 'StateSync' : 'BackendChange';
}

/** `<node>-<id>-<part>-<attempt>-<try>`: at most 50 + 15 + 10 + 6 characters, and a Job's name may have 63. */
export function jobName(
  node: string,
  { id, attempt, try: number }: Pick<MigrationRecord, 'id' | 'attempt' | 'try'>,
  part: JobPart,
): string {
  return `${shortened(node, 63 - 35)}-${id}-${part}-${attempt}-${number}`;
}

export const keySecretName = (node: string, id: string): string => `${node}-${id}-keys`;
export const snapshotName = (node: string, id: string): string => `${node}-${id}`;
export const restoredClaimName = (node: string, id: string): string => `data-${node}-${id}`;
/** Whether the node moved to the volume that its own snapshot gave back. */
export const isRestored = (node: string, { id, claim }: Pick<MigrationRecord, 'id' | 'claim'>): boolean =>
  claim === restoredClaimName(node, id);

/** A long name keeps a digest of all of it, so that two nodes never share one. */
function shortened(name: string, most: number): string {
  if (name.length <= most) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, most - 9)}-${digest}`;
}
