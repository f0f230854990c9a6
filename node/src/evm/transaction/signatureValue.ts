import type { EvmTransaction, EvmTransactionType } from './evmTransaction.ts';

const FIRST_PROTECTED_V = 35n;

/** The chain id inside a legacy transaction's v (EIP-155); `undefined` when there is none. */
export function legacyChainId(v: bigint): bigint | undefined {
  return v < FIRST_PROTECTED_V ? undefined : (v - FIRST_PROTECTED_V) / 2n;
}

/** The parity that v states, whether v is possible or not (see `isPossibleV`). */
export function parityOf(type: EvmTransactionType, v: bigint): 0 | 1 {
  if (type !== 0) return v === 0n ? 0 : 1;
  return v % 2n === 1n ? 0 : 1;
}

/** 0 and 1; for legacy transactions 27, 28 and everything from 35 on. */
export function isPossibleV({ type, v }: Pick<EvmTransaction, 'type' | 'v'>): boolean {
  return type === 0 ? v === 27n || v === 28n || v >= FIRST_PROTECTED_V : v <= 1n;
}
