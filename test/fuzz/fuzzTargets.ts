import type { FuzzTarget } from './fuzzTarget.ts';
import { CONSENSUS_TARGETS } from './targets/consensusTargets.ts';
import { TEXT_TARGETS } from './targets/textTargets.ts';
import { TRANSACTION_TARGETS } from './targets/transactionTargets.ts';

/** Every decoder and parser of what others send. A new one gets a row. */
export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  ...TRANSACTION_TARGETS,
  ...CONSENSUS_TARGETS,
  ...TEXT_TARGETS,
];
