import type { ChainNode } from '../api/index.ts';

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

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** `1h30m`, as the definition allows it, in whole seconds, rounded up. */
export function secondsOf(span: string): number {
  let ms = 0;
  for (const [, number, unit] of span.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    ms += Number(number) * UNITS[unit as keyof typeof UNITS];
  }
  return Math.ceil(ms / 1000);
}
