import type { ChainNode } from '../api/index.ts';
import { nodeNames, POD_NAMES } from './nodeNames.ts';
import type { RenderInput } from './renderInput.ts';

/** What the node's image expects when nobody says otherwise. */
const IMAGE_HOME = '/var/lib/chain';

/** Claim that the node's home lies on. `claim` of a migration wins over the spec. */
export function claimOf(node: ChainNode, desired?: Pick<RenderInput['desired'], 'claim'>): string {
  return (
    desired?.claim ?? node.spec.storage.source?.existingClaim?.name ?? nodeNames(node.metadata.name).claim
  );
}

/** The volumes that whoever works on the home needs. */
export const dataVolumes = (node: ChainNode, desired?: Pick<RenderInput['desired'], 'claim'>): object[] => [
  { name: POD_NAMES.dataVolume, persistentVolumeClaim: { claimName: claimOf(node, desired) } },
  { name: POD_NAMES.tmpVolume, emptyDir: { sizeLimit: '256Mi' } },
];

export const dataMounts = ({ spec }: ChainNode): object[] => [
  { name: POD_NAMES.dataVolume, mountPath: spec.chain.home },
  { name: POD_NAMES.tmpVolume, mountPath: '/tmp' },
];

export const homeEnv = ({ spec }: ChainNode): object[] =>
  spec.chain.home === IMAGE_HOME ? [] : [{ name: 'CHAIND_HOME', value: spec.chain.home }];
