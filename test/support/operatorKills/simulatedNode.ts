import type { NodeReport, RefusedSnapshot, StateSyncProgress } from '@chain/platform/contract';
import {
  type Job,
  KINDS,
  type KubeClient,
  type Pod,
  type StatefulSet,
} from '../../../operator/src/kube/index.ts';
import type { Observation } from '../../../operator/src/observe/index.ts';
import { digestOf, nodeNames } from '../../../operator/src/resources/index.ts';
import { isHeld, newVolume, StepRefused, stepsOf, type Volume } from '../migrationWorld/volume.ts';

const REVISION = 'controller-revision-hash';
const revisionOf = (template: object): string => digestOf(template).slice(0, 10);

/** What goes wrong with one node. */
export interface NodeFaults {
  /** Jobs of a part fail so often, behind so many of their steps. */
  readonly jobs?: Readonly<Record<string, { times: number; readonly after: number }>>;
  /** So many syncs find no snapshot that the node takes; why it turned the newest down. */
  readonly syncs?: { times: number; readonly refused?: RefusedSnapshot };
}

/** Stands for what a cluster's controllers and machines do with the objects of one ChainNode: pods, Jobs, a volume. */
export class SimulatedNode {
  readonly volume: Volume = newVolume('one');
  /** Names of all Jobs that ever worked, in order. */
  readonly worked: string[] = [];
  height = 100;
  readonly #client: KubeClient;
  readonly #name: string;
  readonly #namespace: string;
  readonly #faults: NodeFaults;
  #runs = false;
  #findsNone = false;

  constructor(
    { name, namespace, faults = {} }: { name: string; namespace: string; faults?: NodeFaults },
    client: KubeClient,
  ) {
    this.#name = name;
    this.#namespace = namespace;
    this.#faults = structuredClone(faults);
    this.#client = client;
  }

  get runs(): boolean {
    return this.#runs;
  }

  /** A moment in which everything goes one step on. */
  async tick(): Promise<void> {
    const [client, namespace] = [this.#client, this.#namespace];
    await this.#bindClaim();
    const set = await client.get(KINDS.statefulSet, { namespace, name: this.#name });
    const pod = await client.get(KINDS.pod, { namespace, name: nodeNames(this.#name).pod });
    const isWanted = set?.spec?.replicas === 1;
    if (!pod) this.#runs = false;
    if (isWanted && !pod) await this.#startPod(set!.spec!.template as never);
    if (!isWanted && pod) {
      await client.delete(KINDS.pod, { namespace, name: nodeNames(this.#name).pod });
      this.#runs = false;
    }
    if (isWanted && pod && (await this.#isNewest(set!, pod))) this.#live();
    for (const job of await client.list(KINDS.job, { namespace })) {
      if (job.metadata?.labels?.['chain.dev/migration-of'] === this.#name) await this.#work(job);
    }
  }

  /** What the node says of itself while it runs. */
  observation(): Observation | undefined {
    if (!this.#runs) return undefined;
    const isSynced = this.volume.data === 'split' || this.volume.data === 'one';
    const report: NodeReport = {
      release: '6.5.0',
      chainId: 'sim-1',
      nodeId: 'aa'.repeat(20),
      moniker: 'm',
      mode: 'rpc',
      engine: 'cometbft',
      backend: 'pebbledb',
      evmSplit: this.#isSplit(),
      stage: isSynced ? 'running' : 'restoring',
      ...(!isSynced && {
        notReady: { code: 'stateSync', message: 'state sync' },
        stateSync: this.#stateSync(),
      }),
      startedAt: new Date().toISOString(),
      height: isSynced ? this.height : 0,
      ...(isSynced && { blockTime: new Date().toISOString() }),
      peers: 4,
      catchingUp: !isSynced,
    };
    return { at: Date.now(), report };
  }

  #stateSync(): StateSyncProgress {
    if (!this.#findsNone) return { stage: 'restoring', chunks: 1, chunksTotal: 2 };
    const { refused } = this.#faults.syncs ?? {};
    return { stage: 'discovering', ...(refused && { refused }) };
  }

  #isSplit(): boolean {
    const { data, journal } = this.volume;
    if (data === 'none' || data === 'partial') return journal?.into === 'split';
    return data === 'split';
  }

  #live(): void {
    this.#runs = !isHeld(this.volume);
    if (!this.#runs || this.#findsNone) return;
    this.height++;
    if (this.volume.data === 'partial') this.volume.data = this.#isSplit() ? 'split' : 'one';
    else if (this.volume.data === 'none') this.volume.data = 'partial';
  }

  /** A pod of an older template goes, and the next moment brings another. */
  async #isNewest(set: StatefulSet, pod: Pod): Promise<boolean> {
    const { generation: observedGeneration } = set.metadata ?? {};
    const updateRevision = revisionOf(set.spec!.template);
    if (set.status?.observedGeneration !== observedGeneration) {
      const status = {
        observedGeneration,
        updateRevision,
        currentRevision: updateRevision,
        replicas: 1,
      };
      await this.#client.patchStatus(KINDS.statefulSet, set, status);
    }
    if (pod.metadata?.labels?.[REVISION] === updateRevision) return true;
    await this.#client.delete(KINDS.pod, { namespace: this.#namespace, name: pod.metadata?.name ?? '' });
    this.#runs = false;
    return false;
  }

  async #bindClaim(): Promise<void> {
    const ref = { namespace: this.#namespace, name: nodeNames(this.#name).claim };
    const claim = await this.#client.get(KINDS.persistentVolumeClaim, ref);
    if (!claim || claim.status?.phase === 'Bound') return;
    const capacity = claim.spec?.resources?.requests;
    await this.#client.patchStatus(KINDS.persistentVolumeClaim, claim, { phase: 'Bound', capacity });
  }

  async #startPod(template: Pick<Pod, 'metadata' | 'spec'>): Promise<void> {
    const { pod: name } = nodeNames(this.#name);
    const { syncs } = this.#faults;
    this.#findsNone = this.volume.data === 'none' && syncs !== undefined && syncs.times-- > 0;
    const pod = await this.#client.create(KINDS.pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        ...template.metadata,
        labels: { ...template.metadata?.labels, [REVISION]: revisionOf(template) },
        name,
        namespace: this.#namespace,
      },
      spec: template.spec,
    } as never);
    const at = new Date().toISOString();
    await this.#client.patchStatus(KINDS.pod, pod, {
      phase: 'Running',
      podIP: '127.0.0.1',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [
        {
          name: 'node',
          ready: true,
          restartCount: 0,
          image: 'i',
          imageID: 'i',
          state: { running: { startedAt: at } },
        },
      ],
    });
    this.#live();
  }

  /** Its pod comes to be, works, and ends, in one moment each. */
  async #work(job: Job): Promise<void> {
    const name = job.metadata?.name ?? '';
    if (job.status?.conditions?.some(({ status }) => status === 'True')) return;
    this.worked.push(name);
    const args = job.spec?.template?.spec?.containers?.[0]?.args ?? [];
    const part = /-(preflight|backup|apply|verify|abort)-\d+-\d+$/.exec(name)?.[1] ?? '';
    const fault = this.#faults.jobs?.[part];
    const last = fault && fault.times-- > 0 ? fault.after : Number.POSITIVE_INFINITY;
    const digest = args[args.indexOf('--backup-digest') + 1];
    const into = args[args.indexOf('--into') + 1] === 'split' ? 'split' : 'one';
    const error = this.#runSteps(stepsOf(part, this.volume, { into, ...(digest && { digest }) }), last);
    await this.#endJob(job, name, error);
  }

  #runSteps(steps: readonly (() => void)[], last: number): string | undefined {
    for (const [i, step] of steps.entries()) {
      if (i >= last) return 'the pod was killed';
      try {
        step();
      } catch (error) {
        if (!(error instanceof StepRefused)) throw error;
        return error.message;
      }
    }
    return undefined;
  }

  async #endJob(job: Job, name: string, error: string | undefined): Promise<void> {
    const [client, namespace] = [this.#client, this.#namespace];
    const pod = await client.create(KINDS.pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        ...job.spec?.template?.metadata,
        name: `${name}-x`,
        namespace,
        labels: { ...job.spec?.template?.metadata?.labels, 'job-name': name },
      },
      spec: job.spec?.template?.spec,
    } as never);
    const { backup } = this.volume;
    const files = [{ path: 'config/node_key.json', sha256: 'cd'.repeat(32) }];
    const result = {
      ...(error !== undefined && { error }),
      ...(backup !== undefined && {
        backup: { path: 'migration/x/backup-1', manifestSha256: backup, files },
      }),
    };
    const ended = { exitCode: error === undefined ? 0 : 1, message: JSON.stringify(result) };
    await client.patchStatus(KINDS.pod, pod, {
      phase: error === undefined ? 'Succeeded' : 'Failed',
      containerStatuses: [
        {
          name: 'migrate',
          ready: false,
          restartCount: 0,
          image: 'i',
          imageID: 'i',
          state: { terminated: ended },
        },
      ],
    });
    await client.patchStatus(KINDS.job, job, jobEnd(error));
  }
}

/** As the Job controller of this release ends one: first what is coming, then what has come. */
function jobEnd(error: string | undefined): object {
  const at = new Date().toISOString();
  const condition = (type: string): object => ({
    type,
    status: 'True',
    lastTransitionTime: at,
    lastProbeTime: at,
    reason: error === undefined ? 'CompletionsReached' : 'BackoffLimitExceeded',
    message: error ?? '',
  });
  if (error === undefined) {
    const conditions = [condition('SuccessCriteriaMet'), condition('Complete')];
    return { startTime: at, completionTime: at, succeeded: 1, uncountedTerminatedPods: {}, conditions };
  }
  const conditions = [condition('FailureTarget'), condition('Failed')];
  return { startTime: at, failed: 1, uncountedTerminatedPods: {}, conditions };
}
