import { type ChainNode, msOf } from '../api/index.ts';

const PROBE_TIMEOUT_SECONDS = 5;

const LOCKED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

export const lockedDown = ({ spec }: ChainNode): object =>
  spec.podTemplate.containerSecurityContext ?? LOCKED;

export const httpProbe = (
  path: string,
  port: string,
  more: Readonly<Record<string, number>> = {},
): object => ({
  httpGet: { path, port },
  timeoutSeconds: PROBE_TIMEOUT_SECONDS,
  ...more,
});

/** A span in whole seconds, rounded up, as probes and pods want it. */
export const secondsOf = (span: string): number => Math.ceil(msOf(span) / 1000);
