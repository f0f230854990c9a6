import { ANNOTATIONS, type ChainNode, LABELS } from '../../api/index.ts';

/** Serving, filling a second volume beside the old node, or the old node of before. */
export type Part = 'Member' | 'Twin' | 'Retired';

/** A node of the fleet as it is. */
export interface Member {
  readonly node: ChainNode;
  readonly name: string;
  readonly ordinal: number;
  readonly part: Part;
  /** Since when it has this part; milliseconds since 1970. */
  readonly sinceMs: number;
  readonly revision: string;
  /** Clients may be sent to it. */
  readonly isReady: boolean;
  readonly isSynced: boolean;
  /** Nothing of its spec is still to be carried out. */
  readonly isSettled: boolean;
  /** Its migration has stopped and waits for a person. */
  readonly isHeld: boolean;
  readonly isSplit: boolean;
}

export function memberOf(node: ChainNode): Member {
  const { name, labels = {}, annotations = {}, creationTimestamp } = node.metadata;
  const isReady = conditionOf(node, 'Ready') === 'True';
  const hasSeenSpec = node.status?.observedGeneration === node.metadata.generation;
  return {
    node,
    name,
    ordinal: Number(labels[LABELS.ordinal] ?? Number.NaN),
    part: (annotations[ANNOTATIONS.part] as Part | undefined) ?? 'Member',
    sinceMs: Date.parse(annotations[ANNOTATIONS.partSince] ?? creationTimestamp),
    revision: annotations[ANNOTATIONS.revision] ?? '',
    isReady,
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
