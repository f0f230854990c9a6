import type { Pod } from '../kube/index.ts';

/** Clients that are sent to it are answered. */
export const isReadyPod = ({ metadata, status }: Pod): boolean =>
  metadata?.deletionTimestamp === undefined &&
  (status?.conditions?.some((it) => it.type === 'Ready' && it.status === 'True') ?? false);
