import type { RefusedSnapshot } from '@chain/platform/contract';
import type { MigrationReason } from '../../api/index.ts';
import type { BackupFacts, Command, Layout, MadeObject, TrustPoint } from './record.ts';

/** `spec.migration` and what else of the spec decides; durations in milliseconds. */
export interface MigrationSettings {
  readonly policy: 'Automatic' | 'Manual' | 'Disabled';
  readonly maxAttempts: number;
  readonly backoffMs: { readonly from: number; readonly to: number };
  readonly timeoutsMs: Readonly<Record<PhaseTimeout, number>>;
  readonly snapshot?: { readonly className?: string; readonly required: boolean };
  /** Keys of the backup go into a Secret, too, which is deleted so long after the end. */
  readonly keySecret?: { readonly retainMs: number };
  readonly onFailure: 'Hold' | 'Retry' | 'RollbackSnapshot' | 'ResyncOld';
}
export type PhaseTimeout =
  | 'drain'
  | 'stop'
  | 'backup'
  | 'snapshot'
  | 'apply'
  | 'start'
  | 'discover'
  | 'stall'
  | 'sync'
  | 'verify'
  | 'release';

/** What a step's Job left as its termination message. */
export interface JobResult {
  /** Why it failed, a coded message; absent when it is done. */
  readonly error?: string;
  readonly backup?: BackupFacts;
  readonly trust?: Pick<TrustPoint, 'height' | 'hash'>;
  /** Keys of the backup, which only the operator can read. */
  readonly sealedKeys?: string;
  readonly checks?: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[];
}

export interface JobView {
  /** `failed` only once none of its pods is left. */
  readonly state: 'running' | 'succeeded' | 'failed';
  /** Why its pod does not begin. */
  readonly delay?: string;
  readonly result: JobResult;
}

/** What the node says of itself, from outside; absent while nothing answers. */
export interface ChainView {
  readonly height: number;
  readonly catchingUp: boolean;
  readonly blockAgeMs: number;
  /** Parts of a snapshot that are restored, and all of them. */
  readonly restoring?: { readonly chunks: number; readonly chunksTotal: number };
  /** The newest snapshot that the node turned down. */
  readonly refused?: RefusedSnapshot;
}

export interface WorkloadView {
  /** Pods that mount the volume, in any phase, of any owner, beside this migration's Jobs. */
  readonly volumeUsers: readonly string[];
  /** One of them is on a machine that does not answer: nobody knows whether it runs. */
  readonly unreachable: boolean;
  /** Whether clients still reach the node by a Service. */
  readonly serving: boolean;
  readonly ready: boolean;
  readonly running: boolean;
  readonly restarts: number;
  /** Why the container does not stay up; a startup check's message, for one. */
  readonly crash?: string;
}

/** What the trusted servers were found to agree on, or why they are not fit. */
export type TrustView =
  | { readonly point: TrustPoint }
  | { readonly problem: string; readonly reason: MigrationReason };

/** All that a decision looks at: gathered anew for each, as far as the phase asks for it. */
export interface ObservedState {
  /** Unix milliseconds, by the API server's clock. */
  readonly now: number;
  readonly node: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly generation: number;
    readonly deleting: boolean;
  };
  readonly wanted: Layout;
  /** Of the volume; absent before it was ever observed. */
  readonly actual?: Layout;
  /** A plain state sync that the spec asks for by a new value. */
  readonly resyncRequest?: string;
  readonly settings: MigrationSettings;
  /** The operator leaves the node alone. */
  readonly paused: boolean;
  readonly commands: Readonly<Partial<Record<Command, string>>>;
  /** What speaks against a migration, each with its remedy; empty when it may begin. */
  readonly guards: readonly { readonly reason: MigrationReason; readonly message: string }[];
  /** Why the node may not be taken away now; absent when it may. */
  readonly wait?: { readonly reason: MigrationReason; readonly message: string };
  readonly trust?: TrustView;
  readonly workload: WorkloadView;
  /** Whether a Job can mount the volume beside the running node. */
  readonly shareable: boolean;
  readonly jobs: Readonly<Record<string, JobView>>;
  readonly snapshot?: { readonly ready: boolean; readonly error?: string };
  /** A Secret is there: the one with the keys of this backup, or of an ended one the first that has outlived its time. */
  readonly keySecretExists?: boolean;
  readonly claimExists?: boolean;
  /** The volume that the node had at first names the one that takes its place, for whoever makes the node again. */
  readonly claimNoted?: boolean;
  /** Claim that the node uses, where it is another than at first. */
  readonly claim?: string;
  /** Of an ended migration: what is still there of its Jobs and of what is superseded. */
  readonly leftovers?: readonly (MadeObject | { readonly kind: 'Job'; readonly name: string })[];
  readonly chain?: ChainView;
  /** What was seen from outside; every one must be ok. */
  readonly checks?: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[];
  readonly nodeFacts?: { readonly earliest: number; readonly latest: number; readonly nodeId?: string };
}

/** What is done to the world; each can be done again, and has one name for ever. */
export type Action =
  | {
      readonly do: 'createJob';
      readonly name: string;
      readonly part: 'preflight' | 'backup' | 'apply' | 'verify' | 'abort';
    }
  | { readonly do: 'createKeySecret'; readonly name: string; readonly sealed: string }
  | { readonly do: 'deleteKeySecret'; readonly name: string }
  | { readonly do: 'createSnapshot'; readonly name: string }
  | { readonly do: 'createClaim'; readonly name: string; readonly snapshot: string }
  /** On the volume that the node had at first. */
  | { readonly do: 'noteClaim'; readonly by: string }
  | { readonly do: 'deleteLeftover'; readonly kind: MadeObject['kind'] | 'Job'; readonly name: string };
