/** What the page shows of everything, as plain values; times are milliseconds since 1970. */
export interface StatusView {
  readonly fleets: readonly FleetRow[];
  /** Nodes, by namespace and name. */
  readonly nodes: readonly NodeView[];
  /** The newest first. */
  readonly events: readonly EventRow[];
}

export interface FleetRow {
  readonly namespace: string;
  readonly name: string;
  readonly replicas: number;
  readonly ready: number;
  readonly synced: number;
  readonly split: number;
  /** Lowest and highest height of its nodes. */
  readonly heights: readonly [number, number] | undefined;
  /** What the rollout does, or why it stands still. */
  readonly rollout: string;
  readonly isBlocked: boolean;
}

export interface NodeView {
  readonly namespace: string;
  readonly name: string;
  readonly fleet: string | undefined;
  readonly role: string;
  readonly image: string;
  readonly phase: string;
  readonly height: number | undefined;
  /** Time of the newest block. */
  readonly blockTime: number | undefined;
  readonly peers: number | undefined;
  /** When the node said these three. */
  readonly seenAt: number | undefined;
  readonly backend: string;
  readonly isSplit: boolean | undefined;
  readonly conditions: readonly ConditionRow[];
  readonly migration: MigrationView | undefined;
  readonly past: readonly PastMigration[];
}

export interface ConditionRow {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly since: number | undefined;
}

export interface MigrationView {
  readonly id: string;
  readonly kind: string;
  readonly attempt: number;
  readonly phase: string;
  readonly percent: number | undefined;
  readonly message: string;
  readonly steps: readonly PhaseSpan[];
}

/** A phase of a migration; without an end it is the present one. */
export interface PhaseSpan {
  readonly phase: string;
  readonly from: number;
  readonly to: number | undefined;
}

export interface PastMigration {
  readonly id: string;
  readonly kind: string;
  readonly result: string;
  readonly durationMs: number | undefined;
  readonly reason: string;
}

export interface EventRow {
  readonly at: number;
  readonly type: string;
  readonly subject: string;
  readonly reason: string;
  readonly note: string;
}
