import {
  delegationTarget,
  type EvmFork,
  type EvmTransaction,
  floorGas,
  hasFork,
  intrinsicGas,
  MAX_TRANSACTION_GAS,
  maxInitCodeBytes,
  readCode,
  readCodeSize,
} from '../../evm/index.ts';
import { toHexData } from '../../primitives/index.ts';
import type { PointReads } from '../../state/view/index.ts';
import type { BlockContext } from '../../types/index.ts';
import { rejection } from './rejection.ts';

const MAX_GAS = 2n ** 63n - 1n;
/** An account stops here and never moves on (EIP-2681). */
export const MAX_NONCE = 2n ** 64n - 1n;

/**
 * What can be said of a transaction without its sender and without state, in the order of spec L-7.
 * Returns its intrinsic gas. Throws a rejection.
 */
export function checkShape(
  transaction: EvmTransaction,
  context: Pick<BlockContext, 'gasLimit' | 'evmChainId'> & { readonly fork: EvmFork },
): bigint {
  const { to, data, gasLimit, type } = transaction;
  const { fork } = context;
  checkType(type, fork);
  if (type === 4 && transaction.authorizationList.length === 0) {
    throw rejection('REQUEST', 'auth list cannot be empty');
  }
  const maxCode = maxInitCodeBytes(fork);
  if (to === null && data.length > maxCode) {
    throw rejection('OTHER', `max initcode size exceeded: code size ${data.length} limit ${maxCode}`);
  }
  const intrinsic = checkGas(transaction, fork);
  if (gasLimit > context.gasLimit) {
    throw rejection('GAS', `gas ${gasLimit} is above the block gas limit ${context.gasLimit}`);
  }
  checkPrices(transaction);
  checkChainId(transaction, context.evmChainId);
  if (gasLimit > MAX_GAS) throw rejection('OTHER', `gas ${gasLimit} is above ${MAX_GAS}`);
  return intrinsic;
}

/** What a type came with; all types of ours that are not named have been there since Berlin. */
function checkType(type: number, fork: EvmFork): void {
  const first: EvmFork | undefined = type === 2 ? 'london' : type === 4 ? 'prague' : undefined;
  if (!first || hasFork(fork, first)) return;
  throw rejection(
    'OTHER',
    `transaction type not supported: type ${type} comes with ${first}, this is ${fork}`,
  );
}

function checkGas(transaction: EvmTransaction, fork: EvmFork): bigint {
  const { gasLimit } = transaction;
  if (hasFork(fork, 'osaka') && gasLimit > MAX_TRANSACTION_GAS) {
    throw rejection('OTHER', `transaction gas limit too high (cap: ${MAX_TRANSACTION_GAS}, tx: ${gasLimit})`);
  }
  const intrinsic = intrinsicGas(transaction, fork);
  if (gasLimit < intrinsic) {
    throw rejection('OTHER', `intrinsic gas too low: gas ${gasLimit}, minimum needed ${intrinsic}`);
  }
  const floor = floorGas(transaction.data, fork);
  if (gasLimit < floor) {
    throw rejection(
      'OTHER',
      `insufficient gas for floor data gas cost: gas ${gasLimit}, minimum needed ${floor}`,
    );
  }
  return intrinsic;
}

function checkPrices({ maxFeePerGas, maxPriorityFeePerGas }: EvmTransaction): void {
  if (maxPriorityFeePerGas > maxFeePerGas) {
    throw rejection(
      'REQUEST',
      `max priority fee per gas higher than max fee per gas (${maxPriorityFeePerGas} > ${maxFeePerGas})`,
    );
  }
}

function checkChainId({ type, chainId }: EvmTransaction, expected: bigint): void {
  // Signed for all chains, before EIP-155: a block may hold it, and each node chooses whether it takes it from clients.
  if (type === 0 && chainId === undefined) return;
  if (chainId !== expected) throw rejection('CHAIN_ID', `have ${chainId}, want ${expected}`);
}

/** Whether this node takes what is signed for no chain in particular; not a rule of blocks. Throws a rejection. */
export function checkProtection({ type, chainId }: EvmTransaction, allowUnprotected: boolean): void {
  if (allowUnprotected || type !== 0 || chainId !== undefined) return;
  throw rejection('OTHER', 'only replay-protected (EIP-155) transactions allowed over RPC');
}

/** Fee cap against the block's base fee and the chain's minimum, both in wei. Throws a rejection. */
export function checkFeeCap(
  transaction: EvmTransaction,
  fees: { baseFee: bigint; minimumFee: bigint },
): void {
  const { maxFeePerGas } = transaction;
  if (maxFeePerGas < fees.baseFee) {
    throw rejection(
      'FEE',
      `max fee per gas less than block base fee: maxFeePerGas ${maxFeePerGas}, baseFee ${fees.baseFee}`,
    );
  }
  if (maxFeePerGas < fees.minimumFee) {
    throw rejection('FEE', `maxFeePerGas ${maxFeePerGas} is below the minimum fee ${fees.minimumFee}`);
  }
}

/** Wei: all gas at its cap, and the value. */
export function maximalCost({ gasLimit, maxFeePerGas, value }: EvmTransaction): bigint {
  return gasLimit * maxFeePerGas + value;
}

/** The sender can pay the most that it can cost. Throws a rejection. */
export function checkFunds(transaction: EvmTransaction, balance: bigint): void {
  const cost = maximalCost(transaction);
  if (balance < cost) {
    throw rejection('FUNDS', `insufficient funds for gas * price + value: have ${balance} want ${cost}`);
  }
}

export function checkNonce(transaction: EvmTransaction, stateNonce: bigint, exact: boolean): void {
  const { nonce } = transaction;
  if (nonce === MAX_NONCE) throw rejection('NONCE', `nonce has max value: ${nonce}`);
  if (nonce < stateNonce) throw nonceRejection('too low', nonce, stateNonce);
  if (exact && nonce > stateNonce) throw nonceRejection('too high', nonce, stateNonce);
}

function nonceRejection(what: string, nonce: bigint, stateNonce: bigint) {
  return rejection('NONCE', `nonce ${what}: account nonce ${stateNonce}, transaction nonce ${nonce}`);
}

/** Contracts sign nothing (EIP-3607); delegating accounts do (EIP-7702). Throws a rejection. */
export function checkSenderIsNoContract(state: PointReads, sender: Uint8Array): void {
  if (readCodeSize(state, sender) === 0 || delegationTarget(readCode(state, sender))) return;
  throw rejection('OTHER', `sender not an eoa: address ${toHexData(sender)}`);
}
