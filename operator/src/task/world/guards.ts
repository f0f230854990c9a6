import type { ChainNode } from '../../api/index.ts';
import type { ObservedState } from '../../plan/index.ts';
import type { NodeView } from '../nodeView.ts';

type Guard = ObservedState['guards'][number];

const FIRST_RELEASE = [6, 5] as const;
const MIN_PEERS = 2;

/** What can be seen from outside that speaks against a migration; the rest is the preflight Job's. */
export function guardsOf({ node, claim, observation }: NodeView): Guard[] {
  const { spec } = node;
  const report = observation?.report;
  const guards: (Guard | false | undefined)[] = [
    spec.role !== 'rpc' && {
      reason: 'RoleRefused',
      message: `spec.role is ${spec.role}; only RPC nodes are migrated: run the split on another node`,
    },
    spec.chain.engine !== 'cometbft' && {
      reason: 'RoleRefused',
      message: 'spec.chain.engine is embedded: it has no peers to sync from',
    },
    spec.stateSync.trust === undefined && {
      reason: 'TrustUnreachable',
      message: 'spec.stateSync.trust is missing; name at least two rpcServers',
    },
    releaseGuard(node, report?.release),
    report?.peers !== undefined &&
      report.peers < MIN_PEERS && {
        reason: 'TooFewPeers',
        message: `the node has ${report.peers} peers, and a state sync wants ${MIN_PEERS}; add spec.peers.static`,
      },
    claim !== undefined &&
      claim.status?.phase !== undefined &&
      claim.status.phase !== 'Bound' && {
        reason: 'VolumeNotReady',
        message: `claim ${claim.metadata?.name} is ${claim.status.phase}; see kubectl describe pvc`,
      },
  ];
  return guards.filter((guard): guard is Guard => typeof guard === 'object');
}

/** The release that runs, or what the spec or the image's tag say; unknown ones are the Job's to refuse. */
function releaseGuard({ spec }: ChainNode, running: string | undefined): Guard | undefined {
  const release = running ?? spec.version ?? /:v?(\d+\.\d+\.\d+[^@]*)(@|$)/.exec(spec.image)?.[1];
  const [major = 0, minor = 0] = (release ?? '').replace(/^v/, '').split('.').map(Number);
  if (release === undefined || Number.isNaN(major) || Number.isNaN(minor)) return undefined;
  if (major > FIRST_RELEASE[0] || (major === FIRST_RELEASE[0] && minor >= FIRST_RELEASE[1])) return undefined;
  return {
    reason: 'VersionTooOld',
    message: `release ${release} cannot split; set spec.image to ${FIRST_RELEASE.join('.')} or newer`,
  };
}
