/**
 * The chain's rules: what a transaction may do, what a block does to state, what fees are, how a chain begins.
 * Owns: admission, the order of effects in a block, fee market, genesis, simulation. Does not own: EVM opcodes,
 * account rows, storage of blocks, consensus.
 * Invariants: deterministic; state is only read, writes come back as one change set; a refused transaction
 * leaves no trace but its nonce.
 */
export type { BlockOutcome } from './blockOutcome.ts';
export {
  createExecution,
  type Execution,
  type ExecutionDependencies,
  type ExecutionOptions,
} from './execution.ts';
export { readNextBaseFee } from './feeMarket/baseFee.ts';
export { type FeeParameters, readFeeParameters } from './feeMarket/feeParameters.ts';
export {
  createGenesisState,
  DEVELOPMENT_BALANCE_WEI,
  DEVELOPMENT_COIN,
  DEVELOPMENT_DENOMINATION,
  type FundedAccount,
} from './genesis/createGenesis.ts';
export { DEVELOPMENT_CONTRACTS } from './genesis/developmentContracts.ts';
export type { GenesisJson, GenesisMetadataJson, GenesisState } from './genesis/genesisState.ts';
export { parseGenesis } from './genesis/parseGenesis.ts';
export type { ReplayInput, ReplayOutcome } from './replayTransactions.ts';
export type { BlockInput } from './runBlock.ts';
export type { CallOutcome } from './simulation/callOutcome.ts';
export type {
  AccountOverride,
  BlockOverrides,
  CallOptions,
  CallRequest,
  StorageOverride,
} from './simulation/callRequest.ts';
export { revertReason } from './simulation/revertReason.ts';
export type { BlockToSimulate } from './simulation/simulateBlock.ts';
export type { SimulatedBlock, SimulatedCall } from './simulation/simulatedBlock.ts';
export type { OverrideProblem, RefusalReason } from './simulation/simulationError.ts';
export type { CheckedEnvelope, CheckedTransaction } from './transaction/checkedTransaction.ts';
export type { ReadTransaction } from './transaction/readTransaction.ts';
