import { silentLogger } from '@chain/platform';
import { createMetricsRegistry } from '@chain/platform/metrics';
import {
  API_VERSION,
  type ChainNode,
  type ChainNodeFleet,
  FLEET_KIND,
  LABELS,
} from '../../../operator/src/api/index.ts';
import { ChainNodeController, FleetController, HeightPace } from '../../../operator/src/controller/index.ts';
import { KINDS, type KubeClient } from '../../../operator/src/kube/index.ts';
import { compareAnswers } from '../../../operator/src/observe/index.ts';
import { CHAIN_NODE_FLEET } from '../../../operator/src/resources/index.ts';
import { MigrationRunner } from '../../../operator/src/task/index.ts';
import { NAMESPACES } from '../kubeKinds.ts';
import { SEALING_SECRET, SIGNERS } from '../operatorOnServer.ts';
import { NODES } from './scenarios.ts';
import { SimulatedNode } from './simulatedNode.ts';

const FAST = {
  timeouts: { discover: '1s' },
  retry: { backoffMin: '10ms', backoffMax: '10ms' },
  verify: { traceLatest: false, logLines: false, minBlocks: 0, stableFor: '0s' },
};

/** A fleet of nodes without machines on an API server, and an operator that looks at all of them in turn. */
export class ServerFleet {
  readonly nodes = new Map<string, SimulatedNode>();
  readonly #client: KubeClient;
  readonly #namespace: string;
  readonly #fleets: FleetController;
  readonly #controller: ChainNodeController;

  constructor(client: KubeClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
    const tell = (): void => undefined;
    const pace = new HeightPace({ intervalMs: 40_000 });
    const shared = {
      client,
      pace,
      tell,
      logger: silentLogger,
      metrics: createMetricsRegistry(),
      nodes: () => [],
    };
    const get = (key: string) => this.nodes.get(key.split('/')[1] ?? '')?.observation();
    this.#fleets = new FleetController({ ...shared, compareAnswers });
    this.#controller = new ChainNodeController(
      { limiterImage: 'limiter', release: '6.5.0', signers: SIGNERS },
      {
        ...shared,
        peersOf: () => [],
        observer: { watch: () => undefined, forget: () => undefined, get },
        migrations: new MigrationRunner({
          client,
          logger: silentLogger,
          tell,
          sealingSecret: SEALING_SECRET,
        }),
      },
    );
  }

  async create(replicas: number, rpcServers: readonly string[], stateStore: object): Promise<void> {
    const namespace = this.#namespace;
    await this.#client.create(NAMESPACES, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
    const stateSync = { trust: { rpcServers, heightDelta: 10 } };
    const chain = { id: 'sim-1' };
    const spec = {
      chain,
      image: 'localhost/chain-node:6.5.0',
      storage: { size: '1Gi' },
      stateStore,
      stateSync,
    };
    await this.#client.create(CHAIN_NODE_FLEET, {
      apiVersion: API_VERSION,
      kind: FLEET_KIND,
      metadata: { name: 'rpc', namespace },
      spec: { replicas, peerMesh: false, template: { spec: { ...spec, migration: FAST } } },
    } as never);
  }

  /** A look at everything, and a moment of the cluster. Gives how many nodes get clients. */
  async turn(): Promise<number> {
    const namespace = this.#namespace;
    await passing(this.#fleets.reconcile({ namespace, name: 'rpc' }));
    const found = await this.list();
    for (const { metadata } of found) {
      const { name } = metadata;
      if (!this.nodes.has(name)) this.nodes.set(name, new SimulatedNode({ name, namespace }, this.#client));
      await passing(this.#controller.reconcile({ namespace, name }));
      await this.nodes.get(name)!.tick();
    }
    const labelSelector = `${LABELS.fleet}=rpc,${LABELS.serving}=true`;
    return (await this.#client.list(KINDS.pod, { namespace, labelSelector })).length;
  }

  /** The operator alone looks at the nodes that are there; gives how many these were. */
  async look(): Promise<number> {
    const found = await this.list();
    for (const { metadata } of found)
      await passing(this.#controller.reconcile({ namespace: this.#namespace, name: metadata.name }));
    return found.length;
  }

  list(): Promise<readonly ChainNode[]> {
    return this.#client.list(NODES, { namespace: this.#namespace });
  }

  fleet(): Promise<ChainNodeFleet | undefined> {
    return this.#client.get(CHAIN_NODE_FLEET, { namespace: this.#namespace, name: 'rpc' });
  }

  async patch(spec: object): Promise<void> {
    await this.#client.patch(CHAIN_NODE_FLEET, { namespace: this.#namespace, name: 'rpc' }, { spec });
  }
}

/** What the queue would try again. */
async function passing(pass: Promise<unknown>): Promise<void> {
  try {
    await pass;
  } catch (error) {
    if (!['KUBE_CONFLICT', 'KUBE_EXISTS', 'KUBE_NOT_FOUND'].includes((error as { code?: string }).code ?? ''))
      throw error;
  }
}
