import type { ChainNode } from '../../api/index.ts';
import type { Migrations } from '../migrations.ts';
import { type NodeVerdict, verdict } from './judgement.ts';

/** Says what differs, and moves nothing. */
export const withoutMigrations: Migrations = {
  stanceOf: () => ({ runs: true, serves: true, isProtected: false }),
  isUnderWay: () => false,
  pass: async ({ node }) => ({ verdicts: [convergence(node)] }),
  beforeDeletion: async () => true,
};

/** Whether the volume has the layout that the spec asks for. */
function convergence({ spec, status }: ChainNode): NodeVerdict {
  const { stateStore: wanted } = spec;
  const actual = status?.stateStore;
  if (actual?.layout !== 'current') return verdict('StateStoreConverged', 'Unknown', 'Unknown');
  if (actual.backend !== wanted.backend) return verdict('StateStoreConverged', 'False', 'BackendPending');
  if (actual.evmSplit === wanted.evmSplit) return verdict('StateStoreConverged', 'True', 'Converged');
  return verdict('StateStoreConverged', 'False', wanted.evmSplit ? 'SplitPending' : 'UnsplitPending');
}
