import type { SignFloor } from '@chain/platform/contract';
import type { ChainNode } from '../api/index.ts';

/** How the node stands: what a migration, or nothing, makes of it. */
export interface DesiredWorkload {
  /** False: no pod, for Jobs work on the volume. */
  readonly runs: boolean;
  /** Whether clients may reach it. */
  readonly serves: boolean;
  /** No voluntary disruption: a restart would cost the whole sync. */
  readonly isProtected: boolean;
  /** Another volume than the usual one. */
  readonly claim?: string;
}

/** All that the objects of a node are rendered from. */
export interface RenderInput {
  readonly node: ChainNode;
  readonly desired: DesiredWorkload;
  /** Image of the limiter where the spec names none. */
  readonly limiterImage: string;
  /** Version of the operator. */
  readonly release?: string;
  /** Namespace that the operator runs in: it may reach the admin ports. */
  readonly operatorNamespace?: string;
  /** Of `peers.selector`: `id@host:port`. */
  readonly selectedPeers?: readonly string[];
  /** What the validator key of the spec has signed at least. */
  readonly signFloor?: SignFloor;
  /** Noted in the template in place of the digest of the configuration: the pod keeps the one that it has. */
  readonly configHash?: string;
}

export const isServedRole = ({ role }: ChainNode['spec']): boolean => role === 'rpc' || role === 'archive';
