import {
  type ChainDisruptionBudget,
  type ChainNode,
  type DisruptionBudgetStatus,
  timestampOf,
} from '../../api/index.ts';
import { matchesSelector } from '../../resources/index.ts';
import { isEnded, type MigrationRecord } from '../migration/record.ts';
import { BEFORE_TAKING_AWAY } from '../migration/steps/hold.ts';
import { floorOf, maxTaken, mayGoNow } from './budget.ts';
import { isCurrent, memberOf, partOf } from './member.ts';

/** All that a budget over several fleets and single nodes is judged by, asked of the API server itself. */
export interface SharedBudget {
  readonly budget: ChainDisruptionBudget;
  /** Of the namespace. */
  readonly nodes: readonly ChainNode[];
  /** Names of those whose pods are ready and get clients. */
  readonly servingNow: ReadonlySet<string>;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

export interface SharedVerdict {
  /** Why the node may not go now. */
  readonly obstacle?: string;
  /** What the budget is to say then; whoever writes it on the version that was read has the word of it. */
  readonly status: DisruptionBudgetStatus;
}

/** Who was let go begins within this time. One that serves behind it is back, or has not gone. */
const GRACE_MS = 120_000;

/** Whether a budget is about a node. */
export const isAbout = ({ spec }: ChainDisruptionBudget, { metadata }: ChainNode): boolean =>
  matchesSelector(spec.selector, metadata.labels ?? {});

/** Whether the budget lets a node go that it is about, and what it says then. */
export function judgeShared(node: ChainNode, shared: SharedBudget): SharedVerdict {
  const { budget, servingNow, nowMs } = shared;
  const counted = shared.nodes.filter((one) => isAbout(budget, one) && isCounted(one));
  const taken = stillTaken(shared, counted);
  const { maxUnavailable, minServing } = budget.spec;
  const replicas = counted.length;
  const spec = {
    replicas,
    disruption: { maxUnavailable, ...(minServing !== undefined && { minSynced: minServing }) },
  };
  const names = new Set(counted.map(({ metadata }) => metadata.name));
  const serving = new Set([...servingNow].filter((name) => names.has(name)));
  const told = { expected: replicas, floor: floorOf(spec), serving: serving.size };
  const { name, uid } = node.metadata;
  const others = taken.filter((one) => one.node !== name);
  const of = `ChainDisruptionBudget ${budget.metadata.name}`;
  const verdict = (obstacle: string): SharedVerdict => ({
    obstacle: `${obstacle} (${of}); see kubectl -n ${node.metadata.namespace} get cdb`,
    status: { ...told, disrupted: taken },
  });
  const known = taken.find((one) => one.node === name);
  // It goes already. One that serves still, or again, is judged anew: others may have gone meanwhile.
  if (known && (isGoing(node) || !servingNow.has(name))) return { status: { ...told, disrupted: taken } };
  const most = maxTaken(spec);
  if (others.length >= most) {
    const away = others.map((one) => one.node).join(', ');
    return verdict(`waits for ${away}: ${others.length} of at most ${most} are changed now`);
  }
  const left = new Set([...serving].filter((one) => !others.some((other) => other.node === one)));
  const moment = { servingNow: left, spec, nowMs, isHalted: false, isResumed: false };
  if (!mayGoNow(memberOf(node), moment))
    return verdict(`${left.size} of ${replicas} nodes serve undisturbed, and ${told.floor} must stay`);
  if (known) return { status: { ...told, disrupted: taken } };
  const since = timestampOf(nowMs);
  return { status: { ...told, disrupted: [...others, { node: name, uid, since }] } };
}

/** Clients are sent to it, or would be. */
const isCounted = (node: ChainNode): boolean =>
  isCurrent({ part: partOf(node) }) && !node.spec.hibernate && node.metadata.deletionTimestamp === undefined;

function stillTaken(
  { budget, servingNow, nowMs }: SharedBudget,
  counted: readonly ChainNode[],
): NonNullable<DisruptionBudgetStatus['disrupted']> {
  return (budget.status?.disrupted ?? []).filter(({ node, uid, since }) => {
    const found = counted.find(({ metadata }) => metadata.name === node && metadata.uid === uid);
    if (!found) return false;
    return isGoing(found) || !servingNow.has(node) || nowMs - Date.parse(since) < GRACE_MS;
  });
}

/** It has begun, whether or not its pod still serves. */
function isGoing({ status }: ChainNode): boolean {
  const pending = status?.conditions?.find(({ type }) => type === 'DisruptionPending');
  if (pending?.reason === 'Begun') return true;
  const record = status?.migration as MigrationRecord | undefined;
  return record !== undefined && !isEnded(record) && !BEFORE_TAKING_AWAY.includes(record.phase);
}
