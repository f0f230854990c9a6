import { isDeepStrictEqual } from 'node:util';
import { isCodedError } from '@chain/platform';
import { type ChainDisruptionBudget, type ChainNode, LABELS, timestampOf } from '../api/index.ts';
import { KINDS, type KubeClient } from '../kube/index.ts';
import { isAbout, judgeShared, type SharedVerdict } from '../plan/index.ts';
import { CHAIN_DISRUPTION_BUDGET, CHAIN_NODE } from '../resources/index.ts';
import { isReadyPod } from './readyPod.ts';

/** Budgets over several fleets and single nodes that a node is under. Where the definition is missing there are none. */
export async function budgetsOf(
  client: KubeClient,
  node: ChainNode,
): Promise<readonly ChainDisruptionBudget[]> {
  try {
    const { namespace } = node.metadata;
    const budgets = await client.list(CHAIN_DISRUPTION_BUDGET, { namespace });
    return budgets.filter((budget) => isAbout(budget, node));
  } catch (error) {
    if (isCodedError(error, 'KUBE_NOT_FOUND')) return [];
    throw error;
  }
}

/**
 * Why none of its budgets lets the node go; where all do, that it goes is written to each, on the version that was read:
 * of two nodes that ask at once one gets KUBE_CONFLICT, and asks again.
 */
export async function obstacleOfBudgets(client: KubeClient, node: ChainNode): Promise<string | undefined> {
  const budgets = await budgetsOf(client, node);
  if (budgets.length === 0) return undefined;
  const { namespace } = node.metadata;
  const nodes = await client.list(CHAIN_NODE, { namespace });
  const pods = await client.list(KINDS.pod, { namespace, labelSelector: `${LABELS.serving}=true` });
  const servingNow = new Set(
    pods.filter(isReadyPod).flatMap(({ metadata }) => metadata?.labels?.[LABELS.node] ?? []),
  );
  const nowMs = client.clock.now();
  const verdicts = budgets.map((budget) => {
    const verdict = judgeShared(node, { budget, nodes, servingNow, nowMs });
    return { budget, verdict };
  });
  const refusal = verdicts.find(({ verdict }) => verdict.obstacle !== undefined);
  for (const { budget, verdict } of refusal ? [refusal] : verdicts) await note(client, budget, verdict);
  return refusal?.verdict.obstacle;
}

async function note(
  client: KubeClient,
  budget: ChainDisruptionBudget,
  { status }: SharedVerdict,
): Promise<void> {
  const { checkedAt: _, ...before } = budget.status ?? {};
  if (isDeepStrictEqual(before, status)) return;
  const checkedAt = timestampOf(client.clock.now());
  await client.patchStatus(CHAIN_DISRUPTION_BUDGET, budget, { ...status, checkedAt });
}
