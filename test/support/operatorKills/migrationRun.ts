import { API_VERSION, type ChainNode, NODE_KIND } from '../../../operator/src/api/index.ts';
import type { ChainNodeController } from '../../../operator/src/controller/index.ts';
import type { KubeClient } from '../../../operator/src/kube/index.ts';
import { NAMESPACES } from '../kubeKinds.ts';
import { nodeController } from '../operatorOnServer.ts';
import { killableClient, OperatorKilled } from './killableClient.ts';
import { type Meddled, NODES, type Scenario } from './scenarios.ts';
import { SimulatedNode } from './simulatedNode.ts';
import type { StepKiller } from './steps.ts';
import { openTrustedRpcs } from './trustedRpcs.ts';

const CHAIN = 'sim-1';
const MAX_PASSES = 2_000;

export interface EndedRun {
  /** Undefined once the ChainNode is gone. */
  readonly found: ChainNode | undefined;
  readonly node: SimulatedNode;
}

interface RunOptions {
  readonly client: KubeClient;
  /** Of the operator; `client`, when left out. */
  readonly operator?: KubeClient;
  readonly namespace: string;
  readonly killer: StepKiller;
}

/**
 * A node is made in a namespace of its own and asked for the split; an operator that is killed gives way to another.
 * Ends where the scenario does, or when it has not for very long. Throws when an invariant is broken.
 */
export async function runMigration(
  scenario: Scenario,
  { client, operator = client, namespace, killer }: RunOptions,
): Promise<EndedRun> {
  const ref = { namespace, name: 'node' };
  const trusted = await openTrustedRpcs(CHAIN);
  const node = new SimulatedNode({ ...ref, faults: scenario.faults ?? {} }, client);
  const meddled: Meddled = { client, ref, trusted };
  const acts = new Map(Object.entries(scenario.on ?? {}));
  let found: ChainNode | undefined;
  const killable = killableClient(operator, (moment, write, kind) => {
    const { phase = 'no migration', attempt = 0 } = found?.status?.migration ?? {};
    if (killer.kills(`${moment} ${write} ${kind} in ${phase} ${attempt}`)) throw new OperatorKilled();
  });
  const operators = Array.from({ length: scenario.operators ?? 1 }, () => newOperator(killable, node));
  await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await client.create(NODES, nodeOf(ref, trusted.urls, scenario) as never);
  let isAsked = false;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    await Promise.all(
      operators.map(async (operator, i) => {
        if (await isKilled(operator.reconcile(ref))) operators[i] = newOperator(killable, node);
      }),
    );
    await node.tick();
    found = await client.get(NODES, ref);
    const broken = brokenInvariant(node, found);
    if (broken !== undefined) throw new RangeError(`${namespace}: ${broken}`);
    if (!isAsked && found?.status?.stateStore?.layout === 'current') {
      isAsked = true;
      await scenario.first?.(meddled);
      await client.patch(NODES, ref, { spec: { stateStore: { evmSplit: true } } });
    }
    const { phase = '' } = found?.status?.migration ?? {};
    const act = acts.get(phase);
    acts.delete(phase);
    await act?.(meddled);
    if (!act && hasEnded(scenario, found, node)) break;
  }
  trusted.close();
  await client.delete(NAMESPACES, { name: namespace });
  return { found, node };
}

/** Somebody else was first, or the server wants a moment: the next pass does it. */
const isPassing = (error: unknown): boolean =>
  ['KUBE_CONFLICT', 'KUBE_EXISTS', 'KUBE_UNAVAILABLE', 'KUBE_NOT_FOUND'].includes(
    (error as { code?: string }).code ?? '',
  );

async function isKilled(pass: Promise<unknown>): Promise<boolean> {
  try {
    await pass;
  } catch (error) {
    if (error instanceof OperatorKilled) return true;
    if (!isPassing(error)) throw error;
  }
  return false;
}

function newOperator(client: KubeClient, node: SimulatedNode): ChainNodeController {
  return nodeController({ client, observation: () => node.observation() });
}

function nodeOf(
  metadata: Meddled['ref'],
  rpcServers: readonly string[],
  { maxAttempts = 3 }: Scenario,
): object {
  return {
    apiVersion: API_VERSION,
    kind: NODE_KIND,
    metadata,
    spec: {
      chain: { id: CHAIN },
      image: 'localhost/chain-node:6.5.0',
      storage: { size: '1Gi' },
      stateSync: { trust: { rpcServers, heightDelta: 10 } },
      migration: {
        timeouts: { discover: '1s' },
        retry: { maxAttempts, backoffMin: '10ms', backoffMax: '10ms' },
        verify: { traceLatest: false, logLines: false, minBlocks: 0, stableFor: '0s' },
      },
    },
  };
}

function brokenInvariant({ volume, runs }: SimulatedNode, node: ChainNode | undefined): string | undefined {
  if (!volume.keysInHome && volume.backup === undefined) return 'neither keys nor a backup';
  const isWiped = volume.data === 'none' || volume.data === 'partial';
  if (isWiped && node && !node.status?.migration?.pastPointOfNoReturn)
    return 'wiped before the point of no return';
  return runs && volume.journal?.wiped && !volume.journal.sealed
    ? 'a node runs in a home that is being wiped'
    : undefined;
}

function hasEnded({ ends }: Scenario, found: ChainNode | undefined, { runs }: SimulatedNode): boolean {
  if (!found) return ends === 'deleted';
  const { phase } = found.status?.migration ?? {};
  return phase !== undefined && ends.startsWith(phase) && (phase === 'Held' || runs);
}
