import {
  applyAuthorizations,
  createAddress,
  type EvmBlock,
  type EvmEngine,
  type EvmExecutionResult,
  type EvmHost,
  type EvmState,
  type EvmTracer,
  type EvmTransaction,
  executeTransfer,
  floorGas,
  type PrecompileTable,
  settledGas,
  warmInitialAccess,
} from '../../evm/index.ts';
import { associate } from '../../ledger/index.ts';
import { checkFeeCap, checkFunds, checkNonce, checkSenderIsNoContract, checkShape } from './admission.ts';
import type { ReceivedTransaction, Signer } from './receivedTransaction.ts';
import { isRejection, type Rejection } from './rejection.ts';

/** What all transactions of a block share. */
export interface TransactionScope {
  readonly state: EvmState;
  readonly block: EvmBlock;
  readonly engine: EvmEngine;
  readonly precompiles: PrecompileTable;
  /** Wei. */
  readonly minimumFee: bigint;
  readonly tracer?: EvmTracer | undefined;
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
 * when it was the account's next (json-rpc.md §2.10).
 */
export async function runTransaction(
  received: ReceivedTransaction,
  scope: TransactionScope,
): Promise<ExecutedTransaction | RefusedTransaction> {
  const { state } = scope;
  const mark = state.mark();
  let admitted: Admitted;
  try {
    admitted = admit(received, scope);
  } catch (error) {
    if (!isRejection(error)) throw error;
    state.revertTo(mark);
    return refuse(received, state, error);
  }
  return execute(received.transaction, admitted, scope);
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
  const intrinsicGas = checkShape(transaction, { gasLimit: block.gasLimit, evmChainId: block.chainId });
  const { signer } = received;
  const sender = signer.evmAddress;
  checkNonce(transaction, state.nonce(sender), true);
  const newlyAssociated = associate(state.overlay, signer);
  checkFeeCap(transaction, { baseFee: block.baseFee, minimumFee: scope.minimumFee });
  checkSenderIsNoContract(state.overlay, sender);
  const balance = state.balance(sender);
  checkFunds(transaction, balance);
  const price = effectiveGasPrice(transaction, block.baseFee);
  state.setBalance(sender, balance - transaction.gasLimit * price);
  state.setNonce(sender, transaction.nonce + 1n);
  return { signer, newlyAssociated, intrinsicGas, price };
}

function refuse(received: ReceivedTransaction, state: EvmState, error: Rejection): RefusedTransaction {
  const signer = signerIfAny(received);
  const { nonce } = received.transaction;
  const nonceUsed = signer !== undefined && state.nonce(signer.evmAddress) === nonce;
  if (nonceUsed) state.setNonce(signer.evmAddress, nonce + 1n);
  return { kind: 'refused', rejection: error, signer, nonceUsed };
}

function signerIfAny(received: ReceivedTransaction): Signer | undefined {
  try {
    return received.signer;
  } catch (error) {
    if (isRejection(error)) return undefined;
    throw error;
  }
}

/** min(base fee + tip, fee cap). */
export function effectiveGasPrice(
  fees: { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint },
  baseFee: bigint,
): bigint {
  const wanted = baseFee + fees.maxPriorityFeePerGas;
  return wanted < fees.maxFeePerGas ? wanted : fees.maxFeePerGas;
}

async function execute(
  transaction: EvmTransaction,
  admitted: Admitted,
  scope: TransactionScope,
): Promise<ExecutedTransaction> {
  const { state, block } = scope;
  const sender = admitted.signer.evmAddress;
  const { execution, gasUsed } = await executeMessage(
    { ...transaction, sender, intrinsicGas: admitted.intrinsicGas, price: admitted.price },
    { ...scope, block },
  );
  const unused = (transaction.gasLimit - gasUsed) * admitted.price;
  if (unused > 0n) state.setBalance(sender, state.balance(sender) + unused);
  state.endTransaction();
  return {
    kind: 'executed',
    signer: admitted.signer,
    newlyAssociated: admitted.newlyAssociated,
    execution,
    contractAddress: transaction.to === null ? createAddress(sender, transaction.nonce) : null,
    gasUsed,
    effectiveGasPrice: admitted.price,
  };
}

/** What is executed once the ante stage is over. */
export interface MessageToExecute
  extends Pick<EvmTransaction, 'to' | 'value' | 'data' | 'gasLimit' | 'accessList' | 'authorizationList'> {
  readonly sender: Uint8Array;
  readonly intrinsicGas: bigint;
  readonly price: bigint;
}

/**
 * Authorizations, warm set, the message itself, and the gas it costs in the end. The sender's nonce has moved
 * already. `gasBeforeRefund` is what had to be there while it ran.
 */
export async function executeMessage(
  message: MessageToExecute,
  scope: Omit<TransactionScope, 'minimumFee'>,
): Promise<{ execution: EvmExecutionResult; gasUsed: bigint; gasBeforeRefund: bigint }> {
  const { state, block, engine, precompiles, tracer } = scope;
  const { sender, to, value, data } = message;
  state.beginTransaction();
  const authorizationRefund = applyAuthorizations(state, message.authorizationList, block.chainId);
  warmInitialAccess(state, { sender, to, coinbase: block.coinbase, accessList: message.accessList });
  const host: EvmHost = { state, block, precompiles, ...(tracer && { tracer }) };
  const call = {
    caller: sender,
    to,
    value,
    data,
    gasLimit: message.gasLimit - message.intrinsicGas,
    gasPrice: message.price,
  };
  const execution = executeTransfer(call, host) ?? (await engine.execute(call, host));
  const gasBeforeRefund = message.intrinsicGas + execution.gasUsed;
  const gasUsed = settledGas({
    gas: gasBeforeRefund,
    refund: execution.gasRefund + authorizationRefund,
    floor: floorGas(data),
  });
  return { execution, gasUsed, gasBeforeRefund };
}
