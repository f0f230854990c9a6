import { createServer, type Server } from 'node:http';
import { type Lifecycle, silentLogger } from '@chain/platform';
import { NODE_REPORT_PATH, PORTS } from '@chain/platform/contract';
import { ANNOTATIONS, LABELS } from '../../operator/src/api/index.ts';
import {
  Informer,
  KINDS,
  type OpenedClient,
  type PersistentVolumeClaim,
  type Pod,
  type StatefulSet,
} from '../../operator/src/kube/index.ts';
import { digestOf, nodeNames, POD_NAMES } from '../../operator/src/resources/index.ts';

const REVISION = 'controller-revision-hash';
const WORKERS = 16;
const BLOCK_MS = 1_000;
const STARTED_AT = new Date().toISOString();

/**
 * What a cluster does with StatefulSets and claims, without machines: claims are bound, pods come and go as kubelet
 * reports them, and each node answers `/status` on a loopback address of its own as one at the head of its chain.
 */
export class SimulatedKubelet {
  readonly #connection: OpenedClient;
  readonly #sets: Informer<StatefulSet>;
  readonly #pods: Informer<Pod>;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #servers = new Map<string, { readonly address: string; readonly server: Server }>();
  readonly #due = new Set<string>();
  readonly #running = new Set<string>();
  #asked = 0;

  constructor(connection: OpenedClient, lifecycle: Lifecycle) {
    this.#connection = connection;
    const deps = { transport: connection.transport, logger: silentLogger };
    const options = { namespaces: [], labelSelector: LABELS.node };
    this.#sets = lifecycle.own(new Informer({ kind: KINDS.statefulSet, ...options }, deps));
    this.#pods = lifecycle.own(new Informer({ kind: KINDS.pod, ...options }, deps));
    this.#claims = lifecycle.own(new Informer({ kind: KINDS.persistentVolumeClaim, ...options }, deps));
    for (const informer of [this.#sets, this.#pods, this.#claims])
      informer.onChange(({ object, before }) => {
        const { namespace, labels } = (object ?? before)?.metadata ?? {};
        this.#enqueue(`${namespace}/${labels?.[LABELS.node]}`);
      });
    lifecycle.defer(() => this.#close());
    for (const informer of [this.#sets, this.#pods, this.#claims]) informer.start();
  }

  /** Questions that its nodes have answered. */
  get asked(): number {
    return this.#asked;
  }

  #enqueue(key: string): void {
    this.#due.add(key);
    this.#passDue();
  }

  #passDue(): void {
    for (const key of this.#due) {
      if (this.#running.size >= WORKERS) return;
      if (this.#running.has(key)) continue;
      this.#due.delete(key);
      this.#running.add(key);
      void this.#pass(key).finally(() => {
        this.#running.delete(key);
        this.#passDue();
      });
    }
  }

  /** What another pass has done meanwhile, or what was deleted, the next change tells. */
  async #pass(key: string): Promise<void> {
    try {
      await this.#bindClaim(key);
      await this.#keepPod(key);
    } catch (error) {
      const { code = '' } = error as { readonly code?: string };
      if (!['KUBE_CONFLICT', 'KUBE_EXISTS', 'KUBE_NOT_FOUND', 'KUBE_CLOSED'].includes(code)) throw error;
    }
  }

  async #bindClaim(key: string): Promise<void> {
    const [namespace, name = ''] = key.split('/');
    const claim = this.#claims.get(`${namespace}/${nodeNames(name).claim}`);
    if (!claim || claim.status?.phase === 'Bound') return;
    const capacity = claim.spec?.resources?.requests;
    await this.#connection.client.patchStatus(KINDS.persistentVolumeClaim, claim, {
      phase: 'Bound',
      capacity,
    });
  }

  async #keepPod(key: string): Promise<void> {
    const { client } = this.#connection;
    const [namespace = '', name = ''] = key.split('/');
    const set = this.#sets.get(key);
    const podName = nodeNames(name).pod;
    const pod = this.#pods.get(`${namespace}/${podName}`);
    const template = set?.spec?.template as Pick<Pod, 'metadata' | 'spec'> | undefined;
    const revision = digestOf(template ?? {}).slice(0, 10);
    const isWanted = set?.spec?.replicas === 1;
    if (pod && (!isWanted || pod.metadata?.labels?.[REVISION] !== revision)) {
      await client.delete(KINDS.pod, { namespace, name: podName });
      return;
    }
    if (!isWanted) return;
    const created = pod ?? (await this.#create(template!, { namespace, name: podName, revision }));
    if (created.status?.phase !== 'Running')
      await client.patchStatus(KINDS.pod, created, this.#podStatus(await this.#addressOf(key)));
    const { generation: observedGeneration } = set.metadata ?? {};
    if (set.status?.observedGeneration === observedGeneration && set.status?.updateRevision === revision)
      return;
    await client.patchStatus(KINDS.statefulSet, set, {
      observedGeneration,
      updateRevision: revision,
      currentRevision: revision,
      replicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
      currentReplicas: 1,
      updatedReplicas: 1,
    });
  }

  #create(
    { metadata, spec }: Pick<Pod, 'metadata' | 'spec'>,
    { namespace, name, revision }: Readonly<Record<'namespace' | 'name' | 'revision', string>>,
  ): Promise<Pod> {
    const labels = { ...metadata?.labels, [REVISION]: revision };
    return this.#connection.client.create(KINDS.pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, labels, name, namespace },
      spec,
    } as never);
  }

  #podStatus(podIP: string): object {
    const running = { running: { startedAt: STARTED_AT } };
    const state = { ready: true, started: true, restartCount: 0, image: 'i', imageID: 'i', state: running };
    return {
      phase: 'Running',
      podIP,
      podIPs: [{ ip: podIP }],
      startTime: STARTED_AT,
      conditions: ['Initialized', 'PodScheduled', 'ContainersReady', 'Ready'].map((type) => ({
        type,
        status: 'True',
        lastTransitionTime: STARTED_AT,
      })),
      initContainerStatuses: [{ ...state, name: POD_NAMES.limiter }],
      containerStatuses: [{ ...state, name: POD_NAMES.node }],
    };
  }

  /** Loopback has sixteen million addresses, and the operator asks one port of all of them. */
  async #addressOf(key: string): Promise<string> {
    const known = this.#servers.get(key);
    if (known) return known.address;
    const at = this.#servers.size;
    const address = `127.77.${Math.floor(at / 250)}.${(at % 250) + 1}`;
    const server = createServer(({ url }, response) => {
      this.#asked++;
      response.setHeader('content-type', 'application/json');
      response.end(url === NODE_REPORT_PATH ? this.#report(key) : '{}');
    });
    this.#servers.set(key, { address, server });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(PORTS.nodeAdmin, address, resolve);
    });
    return address;
  }

  #report(key: string): string {
    const [namespace, name = ''] = key.split('/');
    const claim = this.#claims.get(`${namespace}/${nodeNames(name).claim}`);
    const nodeId = claim?.metadata?.annotations?.[ANNOTATIONS.nodeId] ?? '0'.repeat(40);
    const now = Date.now();
    return JSON.stringify({
      release: '6.5.0',
      chainId: 'bench-1',
      nodeId,
      moniker: name,
      mode: 'rpc',
      engine: 'cometbft',
      backend: 'pebbledb',
      evmSplit: false,
      stage: 'running',
      startedAt: STARTED_AT,
      peers: 10,
      height: Math.floor(now / BLOCK_MS) - 1_700_000_000,
      catchingUp: false,
      blockTime: new Date(now).toISOString(),
      floors: { base: 1 },
      volume: { size: 2 ** 40, free: 2 ** 39 },
    });
  }

  #close(): void {
    for (const { server } of this.#servers.values()) {
      server.closeAllConnections();
      server.close();
    }
  }
}
