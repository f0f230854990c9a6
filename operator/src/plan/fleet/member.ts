import { ANNOTATIONS, type ChainNode, LABELS } from '../../api/index.ts';

/** Serving, filling a second volume beside the old node, serving until that one does, or the old node of before. */
export type Part = 'Member' | 'Twin' | 'Leaving' | 'Retired';

/** A node of the fleet as it is. */
export interface Member {
  readonly node: ChainNode;
  readonly name: string;
  readonly ordinal: number;
  readonly part: Part;
  /** Since when it has this part; milliseconds since 1970. */
  readonly sinceMs: number;
  readonly revision: string;
  /** What its answers were found to be beside those of the node that it replaces; of twins. */
  readonly compared: string | undefined;
  /** It is well, and clients could be sent to it. */
  readonly isReady: boolean;
  /** Clients are sent to it. */
  readonly serves: boolean;
  readonly isSynced: boolean;
  /** Nothing of its spec is still to be carried out. */
  readonly isSettled: boolean;
  /** Its migration has stopped and waits for a person. */
  readonly isHeld: boolean;
  readonly isSplit: boolean;
}

/** One of those that the fleet counts: it serves, or does so until its successor does. */
export const isCurrent = ({ part }: Pick<Member, 'part'>): boolean => part === 'Member' || part === 'Leaving';

export const partOf = ({ metadata }: ChainNode): Part =>
  (metadata.annotations?.[ANNOTATIONS.part] as Part | undefined) ?? 'Member';

export function memberOf(node: ChainNode): Member {
  const { name, labels = {}, annotations = {}, creationTimestamp } = node.metadata;
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  const isReady = ready?.status === 'True';
  const hasSeenSpec = node.status?.observedGeneration === node.metadata.generation;
  return {
    node,
    name,
    ordinal: Number(labels[LABELS.ordinal] ?? Number.NaN),
    part: partOf(node),
    compared: annotations[ANNOTATIONS.compared],
    sinceMs: Date.parse(annotations[ANNOTATIONS.partSince] ?? creationTimestamp),
    revision: annotations[ANNOTATIONS.revision] ?? '',
    isReady,
    serves: isReady && ready.reason !== 'StandingBy',
    isSynced: conditionOf(node, 'Synced') === 'True',
    isSettled:
      hasSeenSpec &&
      conditionOf(node, 'Reconciling') !== 'True' &&
      conditionOf(node, 'MigrationInProgress') !== 'True' &&
      isConverged(node),
    isHeld: node.status?.phase === 'Held' || node.status?.migration?.phase === 'Held',
    isSplit: node.status?.stateStore?.evmSplit === true,
  };
}

/** A layout that nobody is allowed to change is as good as converged. */
function isConverged(node: ChainNode): boolean {
  const condition = node.status?.conditions?.find(({ type }) => type === 'StateStoreConverged');
  return condition?.status !== 'False' || condition.reason === 'Disabled';
}

function conditionOf(node: ChainNode, type: string): string | undefined {
  return node.status?.conditions?.find((condition) => condition.type === type)?.status;
}
