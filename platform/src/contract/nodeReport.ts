import type { NotReady, StateSyncProgress } from './readiness.ts';
import type { SignPlace } from './signFloor.ts';

/** Where the admin listener of a node tells what it is and does. */
export const NODE_REPORT_PATH = '/status';

/** All that a program which looks after many nodes wants to know of one, in one answer. */
export interface NodeReport {
  readonly release: string;
  readonly chainId: string;
  /** Hex, 40 digits. */
  readonly nodeId: string;
  readonly moniker: string;
  readonly mode: string;
  readonly engine: string;
  /** The layout of its data. */
  readonly backend: string;
  readonly evmSplit: boolean;
  readonly stage: 'opening' | 'restoring' | 'running';
  /** While the stage is `restoring`. */
  readonly stateSync?: StateSyncProgress;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly height: number;
  /** ISO 8601, of the newest block. */
  readonly blockTime?: string;
  /** Lowest versions of the base SS and, when split, of the EVM SS. */
  readonly floors?: { readonly base: number; readonly evm?: number };
  /** Why `/readyz` says no; absent when it says yes. */
  readonly notReady?: NotReady;
  /** Connected ones; absent where the engine does not say. */
  readonly peers?: number;
  readonly catchingUp: boolean;
  /** Of a validator that signs by itself: its key's address (40 lower-case hexadecimal digits), and what it signed last. */
  readonly signer?: SignPlace & { readonly address: string };
  /** Of the file system that the home lies on; bytes. */
  readonly volume?: { readonly size: number; readonly free: number };
}
