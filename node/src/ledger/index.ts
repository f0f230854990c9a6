/**
 * Who is who and who holds what: accounts, association of EVM and chain addresses, balances, supply.
 * Owns: the rows of the stores `acc`, `bank`, `staking`, `distribution` and `slashing`, rows 0x01, 0x02, 0x15 and
 * 0x17 of `evm`, the list of stores. Queries page through a `RowRange`, or read single rows at any `PointReads`.
 * Does not own: EVM state, transactions, fees.
 * Invariants: wei remainder < 10^12 of every account; the supply is the sum of all balances after each block.
 */
import './exactBuffers.ts';

export { type Account, ensureAccount, readAccount, writeAccount } from './account.ts';
export { type Association, associate } from './association.ts';
export { readChainAddress, readEvmAddress, writeAssociation } from './associationRows.ts';
export {
  type Payer,
  readAccountWei,
  readBalanceWei,
  readPayerWei,
  readUnits,
  writeAccountWei,
  writeBalanceWei,
  writeUnits,
} from './balance.ts';
export { type BankSend, bankSendsOf, syntheticInputOf } from './bank/bankSends.ts';
export { isDenomination, type Units } from './bank/coins.ts';
export { readHeldDenominations } from './bank/heldDenominations.ts';
export {
  BASE_METADATA,
  type DenominationMetadata,
  metadataRows,
  readMetadata,
  writeMetadata,
} from './bank/metadata.ts';
export { type LedgerEffects, requireReceiver, transferCoins } from './bank/transferCoins.ts';
export { accountRows, allBalanceRows, balanceRows, type HeldCoin, supplyRows } from './bankQueries.ts';
export { readChainHolders } from './bankRows.ts';
export { BASE_DENOMINATION, WEI_PER_UNIT } from './denomination.ts';
export { allocateFees } from './distribution/allocateFees.ts';
export {
  readCommission,
  readDistributionParams,
  readFeePool,
  readOutstandingRewards,
  readSlashes,
  readWithdrawAddress,
  slashRows,
} from './distribution/distributionRows.ts';
export { pendingRewards, stakeOf } from './distribution/pendingRewards.ts';
export { FEE_COLLECTOR_CHAIN_ADDRESS, FEE_COLLECTOR_EVM_ADDRESS } from './feeCollector.ts';
export { asRefusal, isLedgerError, type LedgerError, ledgerError, type OnFault } from './ledgerError.ts';
export { MsgAssociate } from './messages/associateMessage.ts';
export type { MessageAnswer, MessageContext } from './messages/messageKind.ts';
export { MsgRegisterPointer } from './messages/pointerMessages.ts';
export { runLedgerMessage } from './messages/runLedgerMessage.ts';
export { STAYS_UNBONDED } from './messages/validatorMessages.ts';
export { moduleAddress } from './moduleAddress.ts';
export {
  isPointerOf,
  POINTER_PRECOMPILE_ADDRESS,
  type Pointer,
  pointerAddressOf,
  readPointee,
  readPointer,
} from './pointers/pointerRows.ts';
export type { PointerTransfer } from './pointers/pointerTransfers.ts';
export { type PointerDeployer, registerPointer } from './pointers/registerPointer.ts';
export type { MessageCodec } from './protoRow.ts';
export { prefixRange, type RowRange } from './rowRange.ts';
export { punishMisbehavior } from './slashing/doubleSigns.ts';
export { evidenceRows, readEvidence } from './slashing/evidenceRows.ts';
export { watchVotes } from './slashing/liveness.ts';
export {
  readSigningInfo,
  readSlashingParams,
  type SigningInfoRow,
  signingInfoRows,
} from './slashing/slashingRows.ts';
export { endStakingBlock } from './staking/endBlock.ts';
export { type EngineSets, readEngineSets } from './staking/engineSets.ts';
export { bondedSetRows, readBondedSet } from './staking/historicalSets.ts';
export { bondGenesisValidators, type GenesisValidator, initStaking } from './staking/initStaking.ts';
export { DEFAULT_VALIDATOR_PARAMS, type ValidatorParams } from './staking/params.ts';
export { readStakingPool } from './staking/pool.ts';
export {
  delegationRows,
  readDelegation,
  readLastPower,
  readRedelegation,
  readStakingParams,
  readUnbonding,
  readValidator,
  redelegationRows,
  unbondingRows,
  validatorDelegatorRows,
  validatorRows,
  validatorUnbondingRows,
} from './staking/stakingRows.ts';
export { worthOf } from './staking/validatorTokens.ts';
export { readSupply, readSupplyWei, settleSupply, writeSupply } from './supply.ts';
export { touchedAccount } from './touchedAccount.ts';
export { checkLedgerShape, feeOf, runAnte, spentOf } from './transaction/ante.ts';
export { decodeLedgerTransaction, type LedgerTransaction } from './transaction/decodeTransaction.ts';
export { EventLog, ofStage } from './transaction/events.ts';
export { GasMeter } from './transaction/gasMeter.ts';
export { flushOverlay, MeteredOverlay } from './transaction/meteredOverlay.ts';
export {
  type LedgerBlock,
  type LedgerOutcome,
  runLedgerTransaction,
} from './transaction/runLedgerTransaction.ts';
export { signatureQuestions } from './transaction/signatureClaims.ts';
export { aminoSignBytes, directSignBytes, type SignerData } from './transaction/signBytes.ts';
