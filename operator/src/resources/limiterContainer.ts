import { PORTS } from '@chain/platform/contract';
import { httpProbe, lockedDown } from './containerParts.ts';
import { POD_NAMES } from './nodeNames.ts';
import type { RenderInput } from './renderInput.ts';

const ADMIN = 'limiter-admin';

/** The limiter as a native sidecar: begun before the node, and stopped after it. */
export function limiterContainer({ node, limiterImage }: RenderInput): object {
  const { proxy, imagePullPolicy } = node.spec;
  return {
    name: POD_NAMES.limiter,
    image: proxy.image ?? limiterImage,
    imagePullPolicy,
    restartPolicy: 'Always',
    args: ['--config', `${POD_NAMES.limiterMount}/limiter.toml`],
    ports: [
      { name: 'rpc', containerPort: PORTS.consensusRpc },
      { name: ADMIN, containerPort: PORTS.limiterAdmin },
    ],
    // No startup probe: the node would wait for it.
    livenessProbe: httpProbe('/livez', ADMIN, { periodSeconds: 10, failureThreshold: 6 }),
    readinessProbe: httpProbe('/readyz', ADMIN, { periodSeconds: 1, failureThreshold: 6 }),
    securityContext: lockedDown(node),
    resources: proxy.resources ?? { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
    volumeMounts: [
      { name: POD_NAMES.limiterVolume, mountPath: POD_NAMES.limiterMount, readOnly: true },
      { name: POD_NAMES.tmpVolume, mountPath: '/tmp' },
    ],
  };
}
