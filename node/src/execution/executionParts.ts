import type { Logger } from '@chain/platform';
import type { EvmEngine, PrecompileTable } from '../evm/index.ts';
import type { FaultReport } from './faults.ts';
import type { SignaturesAhead } from './transaction/signaturesAhead.ts';
import type { TransactionCache } from './transaction/transactionCache.ts';

/** What every use of the execution shares. */
export interface ExecutionParts {
  readonly engine: EvmEngine;
  readonly precompiles: PrecompileTable;
  readonly transactions: TransactionCache;
  /** Where threads look at signatures. */
  readonly ahead: SignaturesAhead;
  readonly logger: Logger;
  readonly report: FaultReport;
  /** Blocks may hold edits of state. */
  readonly development: boolean;
  /** Consensus address of the only validator that may be in the set; none where every one may. */
  readonly soleValidator?: Uint8Array | undefined;
}
