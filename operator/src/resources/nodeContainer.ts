import { PORTS } from '@chain/platform/contract';
import type { ChainNode } from '../api/index.ts';
import { httpProbe, lockedDown, secondsOf } from './containerParts.ts';
import { dataMounts, homeEnv } from './dataVolume.ts';
import { POD_NAMES } from './nodeNames.ts';
import { isServedRole } from './renderInput.ts';
import { resourceErrors } from './resourceErrors.ts';

/** A node on a volume that is there opens within seconds: whoever looks seldom makes it late. */
const STARTUP_PERIOD_SECONDS = 1;

export function nodeContainer(node: ChainNode): object {
  const { spec } = node;
  const { podTemplate, probes } = spec;
  for (const { name } of podTemplate.extraEnv ?? []) refuseSetting(name);
  return {
    ...frame(node),
    args: ['start'],
    ports: portsOf(node),
    startupProbe: httpProbe('/startupz', 'admin', {
      periodSeconds: STARTUP_PERIOD_SECONDS,
      failureThreshold: Math.max(1, Math.ceil(secondsOf(probes.startupTimeout) / STARTUP_PERIOD_SECONDS)),
    }),
    ...(probes.liveness.enabled && {
      livenessProbe: {
        ...httpProbe('/livez', 'admin', {
          periodSeconds: 10,
          failureThreshold: probes.liveness.failureThreshold,
        }),
        timeoutSeconds: 10,
      },
    }),
    readinessProbe: httpProbe('/readyz', 'admin', { periodSeconds: 1, failureThreshold: 6 }),
    // Clients are sent elsewhere before anything stops.
    ...(spec.proxy.enabled && {
      lifecycle: {
        preStop: { exec: { command: drainCommand(spec.proxy.drain.wait) } },
      },
    }),
  };
}

/** Asks the limiter of the same pod, which takes it from there alone, and waits for its answer. */
function drainCommand(wait: string): string[] {
  const url = `http://127.0.0.1:${PORTS.limiterAdmin}/drain?wait=${wait}`;
  return ['node', '-e', `fetch(${JSON.stringify(url)}, { method: 'POST' })`];
}

/** In the node's place: holds the volume and does nothing, so that somebody can look. */
export function fencedContainer(node: ChainNode): object {
  const idle = "process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1e9)";
  return { ...frame(node), command: ['node', '-e', idle] };
}

function frame(node: ChainNode): Record<string, unknown> {
  const { spec } = node;
  const { podTemplate } = spec;
  return {
    name: POD_NAMES.node,
    image: spec.image,
    imagePullPolicy: spec.imagePullPolicy,
    command: [spec.chain.binary],
    env: [...homeEnv(node), ...(podTemplate.extraEnv ?? [])],
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: lockedDown(node),
    resources: spec.resources ?? { requests: { cpu: '250m', memory: '1Gi' }, limits: { memory: '4Gi' } },
    volumeMounts: [...dataMounts(node), ...(podTemplate.extraVolumeMounts ?? [])],
  };
}

/** Settings of variables win over the files that the operator renders, and a migration would not see them. */
function refuseSetting(name: string): void {
  if (!name.startsWith('CHAIND_') || name === 'CHAIND_DEBUG') return;
  const remedy = 'write the setting into spec.config';
  throw resourceErrors.reservedName('spec.podTemplate.extraEnv', name, remedy);
}

function portsOf(node: ChainNode): object[] {
  const { spec } = node;
  return [
    { name: 'p2p', containerPort: PORTS.p2p },
    ...(isServedRole(spec)
      ? [
          { name: 'json-rpc', containerPort: PORTS.jsonRpcHttp },
          { name: 'json-rpc-ws', containerPort: PORTS.jsonRpcWebSocket },
          { name: 'grpc', containerPort: PORTS.grpc },
          { name: 'rest', containerPort: PORTS.rest },
        ]
      : []),
    ...(spec.proxy.enabled ? [] : [{ name: 'rpc', containerPort: PORTS.consensusRpc }]),
    { name: 'admin', containerPort: PORTS.nodeAdmin },
  ];
}
