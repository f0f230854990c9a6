import { ANNOTATIONS, type ChainNodeFleet } from '../../api/index.ts';
import type { Rollout } from './observedFleet.ts';

/** What is typed to let a rollout that waits for a person go on. */
export const annotating = (
  { metadata: { namespace, name } }: ChainNodeFleet,
  what: 'promote' | 'resume',
  { revision }: Rollout,
): string => `kubectl -n ${namespace} annotate --overwrite cnf ${name} ${ANNOTATIONS[what]}=${revision}`;
