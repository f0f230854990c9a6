import { isCodedError } from '@chain/platform';
import { createAddress, type EvmExecutionResult, type EvmTransaction } from '../../evm/index.ts';
import { associate, type OnFault, readChainAddress } from '../../ledger/index.ts';
import type { Overlay } from '../../state/view/index.ts';
import type { LedgerEvent } from '../../types/index.ts';
import { internalError, isRefusal } from '../faults.ts';
import {
  checkFeeCap,
  checkFunds,
  checkNonce,
  checkSenderIsNoContract,
  checkShape,
  MAX_NONCE,
} from './admission.ts';
import { effectiveGasPrice, executeMessage, type MessageScope } from './executeMessage.ts';
import type { ReceivedTransaction, Signer } from './receivedTransaction.ts';
import { isRejection, type Rejection, rejection } from './rejection.ts';
import { tellStart } from './tellTracer.ts';

const ENGINE_FAULT: EvmExecutionResult = {
  error: 'internal engine error',
  returnData: new Uint8Array(0),
  gasUsed: 0n,
  gasRefund: 0n,
  logs: [],
  createdAddress: undefined,
};

/** What all transactions of a block share. */
export interface TransactionScope extends MessageScope {
  /** Wei. */
  readonly minimumFee: bigint;
  /** See `blockFaults`. */
  readonly onFault: OnFault;
}

/** A transaction that ran, well or not. Its gas is paid; fees are for the caller to collect. Amounts in wei. */
export interface ExecutedTransaction {
  readonly kind: 'executed';
  readonly signer: Signer;
  readonly newlyAssociated: boolean;
  readonly execution: EvmExecutionResult;
  readonly contractAddress: Uint8Array | null;
  readonly gasUsed: bigint;
  readonly effectiveGasPrice: bigint;
  /** What precompiles told the ledger. */
  readonly ledgerEvents: readonly LedgerEvent[];
  /** Why the last precompile that refused did so; tells of nothing when the transaction went well. */
  readonly precompileFailure: string | undefined;
}

/** A transaction that was refused. `nonceUsed` tells whether the account's nonce moved all the same. */
export interface RefusedTransaction {
  readonly kind: 'refused';
  readonly rejection: Rejection;
  readonly signer: Signer | undefined;
  readonly nonceUsed: boolean;
}

/**
 * Runs one EVM transaction of a block on `scope.state`. A refused one leaves no trace but the nonce, which moves
 * when it was the account's next (spec L-8).
 */
export async function runTransaction(
  received: ReceivedTransaction,
  scope: TransactionScope,
): Promise<ExecutedTransaction | RefusedTransaction> {
  const { state } = scope;
  const mark = state.mark();
  let admitted: Admitted;
  try {
    if (scope.tracer) announce(received, scope);
    admitted = admit(received, scope);
  } catch (error) {
    if (!isRefusal(error)) scope.onFault(error);
    state.revertTo(mark);
    return refuse(received, scope, isRejection(error) ? error : internalError(error));
  }
  return execute(received.transaction, admitted, scope);
}

function announce(received: ReceivedTransaction, { tracer, state, block }: TransactionScope): void {
  const { transaction, signer } = received;
  const price = effectiveGasPrice(transaction, block.baseFee);
  tellStart(tracer, { ...transaction, sender: signer.evmAddress, price }, { state, block });
}

interface Admitted {
  readonly signer: Signer;
  readonly newlyAssociated: boolean;
  readonly intrinsicGas: bigint;
  readonly price: bigint;
}

/** The ante stage: checks, association, gas bought, nonce moved. */
function admit(received: ReceivedTransaction, scope: TransactionScope): Admitted {
  const { transaction } = received;
  const { state, block } = scope;
  const intrinsicGas = checkShape(transaction, {
    gasLimit: block.gasLimit,
    evmChainId: block.chainId,
    fork: block.fork,
  });
  const { signer } = received;
  const sender = signer.evmAddress;
  checkNonce(transaction, state.nonce(sender), true);
  const newlyAssociated = associateSigner(state.overlay, signer);
  checkFeeCap(transaction, { baseFee: block.baseFee, minimumFee: scope.minimumFee });
  if (!signer.impersonated) checkSenderIsNoContract(state.overlay, sender);
  const balance = state.balance(sender);
  checkFunds(transaction, balance);
  const price = effectiveGasPrice(transaction, block.baseFee);
  state.setBalance(sender, balance - transaction.gasLimit * price);
  state.setNonce(sender, transaction.nonce + 1n);
  return { signer, newlyAssociated, intrinsicGas, price };
}

/** Binds the signer's addresses at its first transaction (spec L-4). Throws a rejection when genesis bound one elsewhere. */
function associateSigner(overlay: Overlay, signer: Signer): boolean {
  if (signer.impersonated || readChainAddress(overlay, signer.evmAddress)) return false;
  try {
    return associate(overlay, signer);
  } catch (cause) {
    if (!isCodedError(cause, 'LEDGER_ASSOCIATED_ELSEWHERE')) throw cause;
    throw rejection('REQUEST', cause.message, { cause });
  }
}

/** What was signed for another chain, or for any, must not cost the account a nonce here: anyone can send it. */
function refuse(
  received: ReceivedTransaction,
  { state, block, onFault }: TransactionScope,
  error: Rejection,
): RefusedTransaction {
  const { nonce, chainId } = received.transaction;
  const signer = chainId === block.chainId ? signerIfAny(received, onFault) : undefined;
  const nonceUsed = signer !== undefined && nonce < MAX_NONCE && state.nonce(signer.evmAddress) === nonce;
  if (nonceUsed) state.setNonce(signer.evmAddress, nonce + 1n);
  return { kind: 'refused', rejection: error, signer, nonceUsed };
}

function signerIfAny(received: ReceivedTransaction, onFault: OnFault): Signer | undefined {
  try {
    return received.signer;
  } catch (error) {
    if (!isRefusal(error)) onFault(error);
    return undefined;
  }
}

async function execute(
  transaction: EvmTransaction,
  admitted: Admitted,
  scope: TransactionScope,
): Promise<ExecutedTransaction> {
  const { state } = scope;
  const sender = admitted.signer.evmAddress;
  const { execution, gasUsed } = await executeOrFail(transaction, admitted, scope);
  const unused = (transaction.gasLimit - gasUsed) * admitted.price;
  if (unused > 0n) state.setBalance(sender, state.balance(sender) + unused);
  const told = { ledgerEvents: state.ledgerEvents(), precompileFailure: state.precompileFailure };
  state.endTransaction();
  scope.tracer?.onEnd?.({ gasUsed });
  return {
    kind: 'executed',
    signer: admitted.signer,
    newlyAssociated: admitted.newlyAssociated,
    execution,
    contractAddress: transaction.to === null ? createAddress(sender, transaction.nonce) : null,
    gasUsed,
    effectiveGasPrice: admitted.price,
    ...told,
  };
}

/** An engine that throws costs the sender all gas, and the chain nothing: one transaction must not stop it. */
async function executeOrFail(
  transaction: EvmTransaction,
  admitted: Admitted,
  scope: TransactionScope,
): Promise<Pick<ExecutedTransaction, 'execution' | 'gasUsed'>> {
  const mark = scope.state.mark();
  try {
    const { signer, intrinsicGas, price } = admitted;
    return await executeMessage({ ...transaction, sender: signer.evmAddress, intrinsicGas, price }, scope);
  } catch (error) {
    scope.onFault(error);
    scope.state.revertTo(mark);
    return { execution: ENGINE_FAULT, gasUsed: transaction.gasLimit };
  }
}
