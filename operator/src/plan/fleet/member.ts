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
  /** Since when it is, or is not; milliseconds since 1970. */
  readonly readySinceMs: number;
  /** Clients are sent to it. */
  readonly serves: boolean;
  /** Clients may be at it in this moment, whatever its status says. */
  readonly mayServe: boolean;
  readonly isSynced: boolean;
  /** Nothing of its spec is still to be carried out. */
  readonly isSettled: boolean;
  /** The fleet lets it be taken away, and it is not back yet. */
  readonly isTaken: boolean;
  /** It has something to do for which it must be taken away, and has not begun. */
  readonly asks: boolean;
  /** It cannot serve again without a change: its pod fails, or it has never had a block. */
  readonly isBroken: boolean;
  /** The height at which its chain stands, as far as it knows. */
  readonly staleAt: number | undefined;
  /** Its migration has stopped and waits for a person. */
  readonly isHeld: boolean;
  readonly isSplit: boolean;
}

/** One of those that the fleet counts: it serves, or does so until its successor does. */
export const isCurrent = ({ part }: Pick<Member, 'part'>): boolean => part === 'Member' || part === 'Leaving';

export const partOf = ({ metadata }: ChainNode): Part =>
  (metadata.annotations?.[ANNOTATIONS.part] as Part | undefined) ?? 'Member';

export const hasTurn = ({ metadata }: ChainNode): boolean =>
  metadata.annotations?.[ANNOTATIONS.turn] !== undefined;

/** `servingNow`: names of nodes whose pods serve, where that was asked. */
export function memberOf(node: ChainNode, servingNow?: ReadonlySet<string>): Member {
  const { name, labels = {}, annotations = {}, creationTimestamp } = node.metadata;
  const ready = conditionOf(node, 'Ready');
  const isReady = ready?.status === 'True';
  const serves = isReady && ready.reason !== 'StandingBy' && (servingNow?.has(name) ?? true);
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
    readySinceMs: Date.parse(ready?.lastTransitionTime ?? creationTimestamp),
    serves,
    mayServe: servingNow?.has(name) ?? serves,
    isSynced: conditionOf(node, 'Synced')?.status === 'True',
    isSettled:
      hasSeenSpec &&
      conditionOf(node, 'Reconciling')?.status !== 'True' &&
      conditionOf(node, 'MigrationInProgress')?.status !== 'True' &&
      isConverged(node),
    isTaken: hasTurn(node),
    asks: conditionOf(node, 'DisruptionPending')?.status === 'True',
    isBroken:
      conditionOf(node, 'Stalled')?.status === 'True' || node.status?.stateStore?.layout !== 'current',
    staleAt: conditionOf(node, 'Synced')?.reason === 'Stale' ? node.status?.chain?.height : undefined,
    isHeld: node.status?.phase === 'Held' || node.status?.migration?.phase === 'Held',
    isSplit: node.status?.stateStore?.evmSplit === true,
  };
}

/** A layout that nobody is allowed to change is as good as converged. */
function isConverged(node: ChainNode): boolean {
  const condition = conditionOf(node, 'StateStoreConverged');
  return condition?.status !== 'False' || condition.reason === 'Disabled';
}

function conditionOf({ status }: ChainNode, type: string) {
  return status?.conditions?.find((condition) => condition.type === type);
}
