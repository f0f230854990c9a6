import type { MigrationKind, MigrationPhase, MigrationReason } from '../../api/index.ts';

/** Where a node keeps its state; what `spec.stateStore` asks for and `status.stateStore` has. */
export interface Layout {
  readonly evmSplit: boolean;
  readonly backend: 'pebbledb' | 'rocksdb';
}

export type Phase = MigrationPhase;

/** Steps that work on the volume; one Job each, of one name a try. */
export type JobPart = 'preflight' | 'backup' | 'apply' | 'verify' | 'abort';

/** Block that a light client begins with, and who agreed on it. */
export interface TrustPoint {
  readonly height: number;
  /** Hex, upper case. */
  readonly hash: string;
  /** ISO 8601. */
  readonly resolvedAt: string;
  /** How many servers said the same. */
  readonly agreed: number;
  readonly servers: readonly {
    readonly url: string;
    readonly network?: string;
    readonly height?: number;
    readonly blockAgeSeconds?: number;
    readonly ok: boolean;
    readonly problem?: string;
  }[];
}

/** The names of the identity's verified copies, outside of all that is wiped. */
export interface BackupFacts {
  readonly path: string;
  readonly manifestSha256: string;
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  readonly secretName?: string;
  readonly snapshotName?: string;
  readonly snapshotReady?: boolean;
}

/** A Secret with the keys of a backup. */
export interface KeptKeys {
  readonly secretName: string;
  /** When its migration ended: ISO 8601. */
  readonly endedAt: string;
}

export type SyncStage = 'Discovering' | 'Restoring' | 'Replaying';

export interface SyncProgress {
  readonly stage: SyncStage;
  readonly height: number;
  /** The newest height that the trusted servers had. */
  readonly targetHeight?: number;
  readonly percent: number;
  /** `chunk 3 of 10`. */
  readonly detail?: string;
  /** When height, stage or detail last changed. */
  readonly movedAt: string;
}

/** An object that the operator made beside those of the node, and that outlives it. */
export interface MadeObject {
  readonly kind: 'PersistentVolumeClaim' | 'VolumeSnapshot';
  readonly name: string;
}

export interface JobNote {
  readonly name: string;
  readonly part: JobPart;
  /** Of an `abort`: what the migration did to the volume is undone. */
  readonly undone?: boolean;
  /** Its pod does not begin, as the message says. */
  readonly delayed?: boolean;
}

/** `status.migration` of a ChainNode: everything that a restarted operator needs to go on. Times are ISO 8601. */
export interface MigrationRecord {
  readonly id: string;
  readonly kind: MigrationKind;
  readonly forGeneration: number;
  readonly requestId?: string;
  /** What there was. */
  readonly before: Layout & {
    readonly earliest?: number;
    readonly latest?: number;
    readonly nodeId?: string;
  };
  /** What there shall be. */
  readonly target: Layout;
  readonly phase: Phase;
  readonly phaseStartedAt: string;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly deadline?: string;
  /** Not to be tried again before. */
  readonly nextAttemptAt?: string;
  /** Counts wipes; one that failed is followed by another. */
  readonly attempt: number;
  /** `attempt` may not exceed it; a `retry` raises it. */
  readonly lastAttempt: number;
  /** Of the Job of this phase. */
  readonly try: number;
  readonly pastPointOfNoReturn: boolean;
  /** On the way back to `before`, past the point of no return. */
  readonly goingBack?: boolean;
  readonly reason: MigrationReason;
  readonly message: string;
  /** Where it was when it was held. */
  readonly heldIn?: Phase;
  /** What somebody may type now; empty unless held. */
  readonly commands?: readonly string[];
  /** Values of the annotations that were obeyed. */
  readonly obeyed?: Readonly<Partial<Record<Command, string>>>;
  readonly trust?: TrustPoint;
  readonly backup?: BackupFacts;
  /** Secrets with keys of migrations before this one, which are still kept; the newest last. */
  readonly earlierKeys?: readonly KeptKeys[];
  /** The volume that the node uses now, when it is another than at first. */
  readonly claim?: string;
  /** What earlier migrations made and this one does not name: deleted when it has ended. */
  readonly superseded?: readonly MadeObject[];
  /** Jobs and superseded objects of an ended migration are gone. */
  readonly tidied?: boolean;
  readonly job?: JobNote;
  readonly progress?: SyncProgress;
  /** What was seen when the sync began. */
  readonly counters?: { readonly containerRestarts: number };
  readonly evidence?: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[];
  /** When each phase began, oldest first, the newest hundred. */
  readonly timeline: readonly {
    readonly phase: Phase;
    readonly attempt: number;
    readonly startedAt: string;
    readonly finishedAt?: string;
  }[];
}

/** Members that may be set, or taken away by `undefined`. */
export type Changed<Members> = { readonly [Name in keyof Members]: Members[Name] | undefined };
export type Changes = Changed<Partial<MigrationRecord>>;

/** What a phase cannot be entered without. */
interface Needed {
  readonly Syncing: { readonly progress: SyncProgress };
  readonly Verifying: { readonly progress: SyncProgress };
  readonly Held: { readonly heldIn: Phase; readonly commands: readonly string[] };
  readonly Succeeded: { readonly finishedAt: string };
  readonly RolledBack: { readonly finishedAt: string };
}

export type Entry<Next extends Phase> = Next extends keyof Needed ? Changes & Needed[Next] : Changes;

/** Annotations `chain.dev/<command>: <any new value>`. */
export const COMMANDS = ['approve', 'retry', 'resync', 'rollback', 'abort'] as const;
export type Command = (typeof COMMANDS)[number];

const ENDED: readonly Phase[] = ['Succeeded', 'RolledBack'];

export const isEnded = ({ phase }: Pick<MigrationRecord, 'phase'>): boolean => ENDED.includes(phase);

/** Where it is going now. */
export const targetOf = ({ before, target, goingBack }: MigrationRecord): Layout =>
  goingBack ? before : target;

export const sameLayout = (a: Layout, b: Layout): boolean =>
  a.evmSplit === b.evmSplit && a.backend === b.backend;
