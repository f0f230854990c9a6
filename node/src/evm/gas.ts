import { type EvmFork, hasFork } from './fork/evmFork.ts';
import type { AccessListEntry } from './transaction/evmTransaction.ts';

/** Gas prices of a transaction outside of its execution. */
export const GAS = {
  transaction: 21_000n,
  creation: 32_000n,
  zeroByte: 4n,
  nonZeroByte: 16n,
  initCodeWord: 2n,
  accessListAddress: 2_400n,
  accessListSlot: 1_900n,
  newAuthorization: 25_000n,
  existingAuthorization: 12_500n,
  floorPerToken: 10n,
  tokensPerNonZeroByte: 4n,
} as const;

/** What a transaction may ask for, from Osaka on (EIP-7825). */
export const MAX_TRANSACTION_GAS = 2n ** 24n;
const MAX_INIT_CODE_BYTES = 49_152;

/** EIP-3860; without bound before. */
export function maxInitCodeBytes(fork: EvmFork): number {
  return hasFork(fork, 'shanghai') ? MAX_INIT_CODE_BYTES : Number.POSITIVE_INFINITY;
}

/** What of a transaction its intrinsic gas depends on. */
export interface GasRelevant {
  readonly to: Uint8Array | null;
  readonly data: Uint8Array;
  readonly accessList: readonly AccessListEntry[];
  readonly authorizationList: readonly unknown[];
}

function zeroBytesIn(data: Uint8Array): number {
  let zeros = 0;
  for (const byte of data) if (byte === 0) zeros++;
  return zeros;
}

/** Gas a transaction costs before it runs: EIP-2028, 2930, 3860, 7702. */
export function intrinsicGas(
  { to, data, accessList, authorizationList }: GasRelevant,
  fork: EvmFork,
): bigint {
  const zeros = BigInt(zeroBytesIn(data));
  const nonZeros = BigInt(data.length) - zeros;
  let gas = GAS.transaction + zeros * GAS.zeroByte + nonZeros * GAS.nonZeroByte;
  if (to === null) gas += GAS.creation + (hasFork(fork, 'shanghai') ? initCodeGas(data) : 0n);
  for (const { storageKeys } of accessList) {
    gas += GAS.accessListAddress + BigInt(storageKeys.length) * GAS.accessListSlot;
  }
  return gas + BigInt(authorizationList.length) * GAS.newAuthorization;
}

function initCodeGas(data: Uint8Array): bigint {
  return BigInt(Math.ceil(data.length / 32)) * GAS.initCodeWord;
}

/** The least a transaction pays for its data (EIP-7623); nothing before Prague. */
export function floorGas(data: Uint8Array, fork: EvmFork): bigint {
  if (!hasFork(fork, 'prague')) return 0n;
  const zeros = BigInt(zeroBytesIn(data));
  const tokens = zeros + (BigInt(data.length) - zeros) * GAS.tokensPerNonZeroByte;
  return GAS.transaction + tokens * GAS.floorPerToken;
}

/**
 * Gas that a transaction pays in the end: what it used (intrinsic gas included), less the refund counter up to
 * a fifth of that (EIP-3529; half at Berlin), and never below the floor (EIP-7623).
 */
export function settledGas(used: { gas: bigint; refund: bigint; floor: bigint }, fork: EvmFork): bigint {
  const cap = used.gas / (hasFork(fork, 'london') ? 5n : 2n);
  const settled = used.gas - (used.refund < cap ? used.refund : cap);
  return settled > used.floor ? settled : used.floor;
}
