import type { Clock, Logger } from '@chain/platform';
import type { StateSyncProgress } from '@chain/platform/contract';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { Chain } from '../chain/index.ts';
import type { NodeConfig } from '../config/index.ts';
import type { HostedAccount } from '../rpc/index.ts';
import type { State } from './openState.ts';

export interface NodeOptions {
  readonly config: NodeConfig;
  /** Milliseconds between blocks of the embedded engine; 0 makes one for each transaction. */
  readonly blockTimeMs: number;
  /** Of the process: where `cometbft` is looked for, and what it gets. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Accounts that a development home holds keys of; ten by default. */
  readonly accounts?: readonly HostedAccount[];
}

export interface NodeDeps {
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Told when no block can follow: the process must stop. */
  readonly onFatal: (error: unknown) => void;
  /** Told how far state sync is. */
  readonly onProgress?: (progress: StateSyncProgress) => void;
  /** Ends a start that waits for its first block. */
  readonly stopping?: AbortSignal;
}

export interface RunningNode {
  readonly chain: Chain;
  readonly state: Pick<State, 'stateCommit' | 'stateStore'>;
  /** Where JSON-RPC listens; `undefined` when it is switched off. */
  readonly rpcUrl: string | undefined;
  /** Where JSON-RPC over WebSocket listens; `undefined` when it is switched off. */
  readonly webSocketUrl: string | undefined;
  /** Where the consensus RPC listens; `undefined` when it is switched off. */
  readonly consensusUrl: string | undefined;
  /** Host and port of gRPC; `undefined` when it is switched off. */
  readonly grpcAddress: string | undefined;
  /** Where REST listens; `undefined` when it is switched off. */
  readonly restUrl: string | undefined;
  /** Where metrics and health listen; `undefined` when they are switched off. */
  readonly adminUrl: string | undefined;
  readonly metrics: MetricsRegistry;
  /** Stops in reverse order of the start; the block in progress is finished. Idempotent. */
  close(): Promise<void>;
}
