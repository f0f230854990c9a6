/** Why a node is not ready: programs go by the code, people by the message. `other`: a reason without a code. */
export const NOT_READY_CODES = [
  'failed',
  'stopping',
  'opening',
  'stateSync',
  'firstBlock',
  'syncing',
  'stalled',
  'other',
] as const;

export type NotReadyCode = (typeof NOT_READY_CODES)[number];

export interface NotReady {
  readonly code: NotReadyCode;
  readonly message: string;
}

/** How far state sync is; first the node looks for a snapshot, then it restores one. */
export type StateSyncProgress =
  | {
      readonly stage: 'discovering';
      /** The newest snapshot that was turned down. */
      readonly refused?: RefusedSnapshot;
    }
  | { readonly stage: 'restoring'; readonly chunks: number; readonly chunksTotal: number };

export interface RefusedSnapshot {
  readonly height: number;
  readonly reason: string;
}
