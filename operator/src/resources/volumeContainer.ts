import type { ChainNode } from '../api/index.ts';
import { POD_NAMES } from './nodeNames.ts';

/** What a pod runs as when its spec says nothing. */
export const POD_USER = 1000;

/**
 * Hands the volume to the pod's user, for storage that ignores fsGroup. The volume's root comes last: once it is the
 * user's, all else is, and a start costs one look. A container that dies in the midst begins again.
 */
export function volumeContainer({ spec }: ChainNode): object {
  const { runAsUser = POD_USER, runAsGroup = runAsUser } = (spec.podTemplate.securityContext ?? {}) as {
    readonly runAsUser?: number;
    readonly runAsGroup?: number;
  };
  const [owner, home] = [`${runAsUser}:${runAsGroup}`, spec.chain.home];
  const script = [
    'if [ "$(stat -c %u:%g "$2")" = "$1" ]; then exit 0; fi',
    'find "$2" -xdev -mindepth 1 -exec chown -h "$1" {} +',
    'chown "$1" "$2"',
  ].join(' && ');
  return {
    name: POD_NAMES.volume,
    image: spec.image,
    imagePullPolicy: spec.imagePullPolicy,
    command: ['sh', '-c', script, 'sh', owner, home],
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: {
      runAsNonRoot: false,
      runAsUser: 0,
      runAsGroup: 0,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      // Directories of others that nobody else may enter are among them.
      capabilities: { drop: ['ALL'], add: ['CHOWN', 'DAC_OVERRIDE'] },
    },
    resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '128Mi' } },
    volumeMounts: [{ name: POD_NAMES.dataVolume, mountPath: home }],
  };
}
