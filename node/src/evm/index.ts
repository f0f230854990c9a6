/**
 * The EVM: transactions, their ledger envelope, state as the EVM sees it, engines that run code, precompiles.
 * Owns: @ethereumjs, the evm store's account, code and storage rows. Does not own: blocks, fees, nonce rules,
 * the association rows (ledger).
 * Invariant: executions share no mutable state unless their hosts share an EvmState; state access is synchronous.
 */
export { warmInitialAccess } from './accessList.ts';
export { applyAuthorizations } from './applyAuthorizations.ts';
export { create2Address, createAddress } from './contractAddress.ts';
export { createEvmEngine, type EvmEngineKind } from './createEvmEngine.ts';
export { delegationTarget } from './delegation.ts';
export { type DumpedAccount, dumpedAccounts } from './development/dumpedAccounts.ts';
export { impersonatedSender, impersonatedTransaction } from './development/impersonation.ts';
export { type StateEdit, unwrapStateEdit, wrapStateEdit } from './development/stateEdit.ts';
export { unwrapEvmTransaction, wrapAssociation, wrapEvmTransaction } from './envelope/envelope.ts';
export { type EvmBlock, evmBlockOf } from './evmBlock.ts';
export type { EvmEngine, EvmExecutionResult, EvmHost, EvmMessage, Interrupt } from './evmEngine.ts';
export { EvmState } from './evmState.ts';
export type {
  EvmTracer,
  FrameKind,
  TracedFrame,
  TracedLog,
  TracedLook,
  TracedOutcome,
  TracedState,
  TracedStep,
  TracedTransaction,
} from './evmTracer.ts';
export { EVM_FORKS, type EvmFork, hasFork, isEvmFork, USUAL_FORK } from './fork/evmFork.ts';
export { type ForkStage, forkAt, readForks, writeForks } from './fork/forkSchedule.ts';
export { floorGas, GAS, intrinsicGas, MAX_TRANSACTION_GAS, maxInitCodeBytes, settledGas } from './gas.ts';
export { INSTRUCTIONS, instructionOf, Op, opcodesOf } from './instructions/index.ts';
export { deployPointer } from './pointer/deployPointer.ts';
export { CHAIN_PRECOMPILES } from './precompile/chainPrecompiles.ts';
export type {
  MovedStandard,
  Precompile,
  PrecompileContext,
  PrecompileOutcome,
  PrecompileTable,
} from './precompile/precompile.ts';
export { PRECOMPILE_ABIS } from './precompile/precompileAbis.ts';
export { isStandardPrecompile, standardPrecompileAddresses } from './precompile/standardAddresses.ts';
export {
  BLOCK_HASHES_CONTRACT,
  type BlockMark,
  initRecentBlocks,
  recordParent,
  writeNewestBlock,
} from './recentBlocks.ts';
export { missingBlst } from './standard/blsPoints.ts';
export { missingPrecompiles } from './standard/native.ts';
export {
  readCode,
  readCodeHash,
  readCodeSize,
  readNonce,
  readStorage,
  storageKey,
} from './stateReads.ts';
export { authorizationHash, recoverAuthority } from './transaction/authorization.ts';
export { decodeTransaction } from './transaction/decode.ts';
export { signedTransaction, signingHash } from './transaction/encode.ts';
export type {
  AccessListEntry,
  Authorization,
  EvmTransaction,
  UnsignedEvmTransaction,
} from './transaction/evmTransaction.ts';
export { invalidSignature, recoverSenderKey, senderSignature } from './transaction/sender.ts';
export { executeTransfer } from './transfer.ts';
export { isOutOfGas, REVERTED } from './vmErrors.ts';
