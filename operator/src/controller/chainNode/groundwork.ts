import type { SignFloor } from '@chain/platform/contract';
import type { ChainNode } from '../../api/index.ts';
import type { KubeClient, Pod } from '../../kube/index.ts';
import type { Observation } from '../../observe/index.ts';
import type { DesiredWorkload } from '../../resources/index.ts';
import { holdSigner, type SignerPass } from '../validator/signer.ts';
import type { SignerLeases } from '../validator/signerLeases.ts';
import { useClaim } from './claimUse.ts';
import type { Fault } from './faults.ts';
import { namedPeers } from './namedPeers.ts';
import { ensureNodeKey, missingReference } from './nodeKey.ts';
import { podFacts } from './podFacts.ts';
import { ensureVolume, type VolumePass } from './volume.ts';
import { stopWorkload } from './workload.ts';

/** What a pod needs before it may be: peers, keys, a volume, each of them the node's alone where it must be. */
export interface Groundwork {
  readonly volume: VolumePass;
  readonly namedPeers: readonly string[];
  readonly nodeId?: string;
  readonly signFloor?: SignFloor;
  readonly signer?: Pick<SignerPass, 'address' | 'lease'>;
  /** The rest is as far as it went. */
  readonly fault?: Fault;
}

interface GroundworkView {
  readonly node: ChainNode;
  readonly desired: DesiredWorkload;
  readonly pod: Pod | undefined;
  readonly observation: Observation | undefined;
}

interface GroundworkDeps {
  readonly client: KubeClient;
  readonly leases: SignerLeases;
}

export async function layGround(deps: GroundworkDeps, view: GroundworkView): Promise<Groundwork> {
  const { client } = deps;
  const { node, desired, pod } = view;
  let done: Groundwork = { volume: { claim: undefined }, namedPeers: [] };
  const named = await namedPeers(client, node);
  if ('reason' in named) return { ...done, fault: named };
  done = { ...done, namedPeers: named };
  // A node that runs has found them.
  const absent = podFacts(pod).isReady ? undefined : await missingReference(client, node);
  if (absent) return { ...done, fault: absent };
  const nodeId = await ensureNodeKey(client, node);
  if (typeof nodeId !== 'string') return { ...done, fault: nodeId };
  const { fault, mustStop, floor, ...signer } = await holdSigner(deps, view);
  if (mustStop) await stopWorkload(client, { node, desired });
  if (fault) return { ...done, fault };
  const volume = await ensureVolume(client, view);
  const taken = await useClaim(client, node, { claim: volume.claim, nodeId });
  return {
    ...done,
    volume,
    nodeId,
    ...(floor && { signFloor: floor }),
    ...(signer.address !== undefined && { signer }),
    ...(taken && { fault: taken }),
  };
}
