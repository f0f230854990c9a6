import {
  type Action,
  type Layout,
  type MigrationRecord,
  type MigrationSettings,
  type MigrationWorkload,
  type ObservedState,
  targetOf,
} from '../../../operator/src/plan/index.ts';
import { isHeld, newVolume, StepRefused, stepsOf, type Volume } from './volume.ts';

/** What goes wrong, and how often. */
export interface Faults {
  /** Jobs of a part fail so often, after so many of their steps. */
  readonly jobs?: Readonly<Record<string, { times: number; readonly after: number }>>;
  /** So many syncs find no snapshot. */
  syncsWithoutSnapshot?: number;
  /** So many syncs are cut short by a restart of the container. */
  syncsInterrupted?: number;
  /** So many starts are refused by a startup check. */
  startsRefused?: number;
  readonly snapshotFails?: boolean;
  /** The pod's machine does not answer from the stop on. */
  unreachable?: boolean;
  readonly trustFails?: boolean;
  readonly verifyFails?: boolean;
}

type Fate = 'syncs' | 'noSnapshot' | 'interrupted' | 'refused';
interface Job {
  readonly part: string;
  readonly claim: string;
  readonly steps: (() => void)[];
  readonly failAfter: number;
  done: number;
  state: 'running' | 'succeeded' | 'failed';
  error?: string;
}
interface Pod {
  readonly claim: string;
  readonly split: boolean;
  fate: Fate | undefined;
  open: boolean;
  restarts: number;
  crash: string | undefined;
  syncedFor: number;
}

export const SPLIT: Layout = { evmSplit: true, backend: 'pebbledb' };
export const ONE: Layout = { evmSplit: false, backend: 'pebbledb' };
const TICK_MS = 20_000;
const SYNC_TICKS = 4;
const REFUSALS = 3;

/** An API server with one ChainNode, and what stands behind it: all that the machine sees and does. */
export class SimulatedCluster {
  now = Date.parse('2026-01-01T00:00:00Z');
  record: MigrationRecord | undefined;
  version = 1;
  actual = ONE;
  wanted = SPLIT;
  generation = 2;
  deleting = false;
  commands: ObservedState['commands'] = {};
  readonly jobs = new Map<string, Job>();
  /** Names of all Jobs that were ever made, in order. */
  readonly created: string[] = [];
  readonly volumes = new Map<string, Volume>([['data', newVolume('one')]]);
  readonly snapshots = new Map<string, Volume>();
  /** What the first volume says of the claim that the node uses in its place. */
  replacedBy: string | undefined;
  /** Names of Secrets with keys. */
  readonly keySecrets = new Set<string>();
  pod: Pod | undefined;
  wish: MigrationWorkload = { runs: true, serves: true, isProtected: false, layout: ONE };
  readonly settings: MigrationSettings;
  readonly faults: Faults;
  /** Steps of a Job that are done in a tick. */
  readonly speed: number;

  constructor(settings: MigrationSettings, faults: Faults = {}, speed = 9) {
    this.settings = settings;
    this.faults = structuredClone(faults);
    this.speed = speed;
    this.#startPod();
  }

  /** Refuses, as with a 409, when somebody wrote meanwhile. */
  write(record: MigrationRecord, seen: number): boolean {
    if (seen !== this.version) return false;
    this.version++;
    this.record = record;
    if (record.phase === 'Succeeded') this.actual = targetOf(record);
    return true;
  }

  applyWorkload(wish: MigrationWorkload): void {
    this.wish = wish;
  }

  /** `record` is what the operator that acts believes in. */
  act(action: Action, record: MigrationRecord): void {
    if (action.do === 'createKeySecret') this.keySecrets.add(action.name);
    else if (action.do === 'deleteKeySecret') this.keySecrets.delete(action.name);
    else if (action.do === 'createSnapshot') {
      const volume = structuredClone(this.volumes.get('data')!);
      if (!this.snapshots.has(action.name)) this.snapshots.set(action.name, volume);
    } else if (action.do === 'createClaim') {
      const volume = structuredClone(this.snapshots.get(action.snapshot)!);
      if (!this.volumes.has(action.name)) this.volumes.set(action.name, volume);
    } else if (action.do === 'noteClaim') this.replacedBy = action.by;
    else if (action.do === 'deleteLeftover') this.#delete(action);
    else if (!this.jobs.has(action.name)) this.#createJob(action.name, action.part, record);
  }

  #delete({ kind, name }: Extract<Action, { do: 'deleteLeftover' }>): void {
    if (kind === 'Job') this.jobs.delete(name);
    else if (kind === 'VolumeSnapshot') this.snapshots.delete(name);
    else this.volumes.delete(name);
  }

  #createJob(name: string, part: string, record: MigrationRecord): void {
    this.created.push(name);
    const claim = record.claim ?? 'data';
    const fault = this.faults.jobs?.[part];
    const fails = fault !== undefined && fault.times-- > 0;
    const steps = stepsOf(part, this.volumes.get(claim)!, {
      ...(record.backup && { digest: record.backup.manifestSha256 }),
      into: targetOf(record).evmSplit ? 'split' : 'one',
    });
    const failAfter = fails ? fault!.after : Number.POSITIVE_INFINITY;
    this.jobs.set(name, { part, claim, done: 0, state: 'running', steps, failAfter });
  }

  /** Twenty seconds in which Jobs, pods and the chain go on. */
  tick(): void {
    this.now += TICK_MS;
    for (const job of this.jobs.values()) if (job.state === 'running') this.#work(job);
    const { pod, wish } = this;
    if (!wish.runs || (pod && pod.claim !== (wish.claim ?? 'data'))) {
      if (!this.faults.unreachable) this.pod = undefined;
    } else if (!pod) this.#startPod();
    else if (pod.open) this.#live(pod);
    else this.#open(pod);
  }

  #work(job: Job): void {
    for (let i = 0; i < this.speed && job.state === 'running'; i++) this.#workOn(job);
  }

  #workOn(job: Job): void {
    const step = job.steps[job.done];
    if (job.done >= job.failAfter) end(job, 'failed', 'the pod was killed');
    else if (!step) end(job, 'succeeded');
    else {
      // The step "stop" parks a node that somebody started behind our back.
      const { pod } = this;
      if (pod?.claim === job.claim && ['backup', 'apply'].includes(job.part)) pod.open = false;
      try {
        step();
        job.done++;
      } catch (error) {
        if (!(error instanceof StepRefused)) throw error;
        end(job, 'failed', error.message);
      }
    }
  }

  #startPod(): void {
    const { claim = 'data', layout } = this.wish;
    const split = layout.evmSplit;
    this.pod = { claim, split, fate: undefined, open: false, restarts: 0, crash: undefined, syncedFor: 0 };
    this.#open(this.pod);
  }

  #open(pod: Pod): void {
    const volume = this.volumes.get(pod.claim)!;
    if (volume.data === 'none') pod.fate ??= this.#nextFate();
    pod.crash = refusalOf(volume, pod);
    pod.open = pod.crash === undefined;
    if (!pod.open) pod.restarts++;
  }

  #nextFate(): Fate {
    const take = (what: 'startsRefused' | 'syncsWithoutSnapshot' | 'syncsInterrupted'): boolean =>
      (this.faults[what] ?? 0) > 0 && this.faults[what]!-- > 0;
    if (take('startsRefused')) return 'refused';
    if (take('syncsWithoutSnapshot')) return 'noSnapshot';
    return take('syncsInterrupted') ? 'interrupted' : 'syncs';
  }

  #live(pod: Pod): void {
    const volume = this.volumes.get(pod.claim)!;
    if (volume.data === 'one' || volume.data === 'split' || pod.fate === 'noSnapshot') return;
    volume.data = 'partial';
    if (++pod.syncedFor === 3 && pod.fate === 'interrupted') {
      pod.restarts++;
      pod.open = false;
    } else if (pod.syncedFor >= SYNC_TICKS) volume.data = pod.split ? 'split' : 'one';
  }
}

function end(job: Job, state: 'succeeded' | 'failed', error?: string): void {
  job.state = state;
  if (error !== undefined) job.error = error;
}

/** Why a node does not open its home. */
function refusalOf(volume: Volume, { split, fate, restarts }: Pod): string | undefined {
  if (isHeld(volume)) return 'a migration was cut short';
  if (volume.data === 'partial') return 'a restore was cut short';
  if (volume.data === 'none') return fate === 'refused' && restarts < REFUSALS + 9 ? 'no' : undefined;
  return volume.data === (split ? 'split' : 'one') ? undefined : 'earliest versions differ';
}
