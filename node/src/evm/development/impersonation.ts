import { bigintToFixedBytes, bytesToBigint } from '../../primitives/index.ts';
import { signedTransaction } from '../transaction/encode.ts';
import type { EvmTransaction, UnsignedEvmTransaction } from '../transaction/evmTransaction.ts';

const ADDRESS_LIMIT = 1n << 160n;

/**
 * A transaction that names its sender in place of a signature: r is the address and s is 0, which no signature
 * has. Only development homes take it.
 */
export function impersonatedTransaction(
  unsigned: UnsignedEvmTransaction,
  sender: Uint8Array,
): EvmTransaction {
  const v = unsigned.type === 0 ? 35n + 2n * (unsigned.chainId ?? 0n) : 0n;
  return signedTransaction(unsigned, { v, r: bytesToBigint(sender), s: 0n });
}

/** The sender (20 bytes) that a transaction names in place of a signature; `undefined` when it does not. */
export function impersonatedSender({ r, s }: Pick<EvmTransaction, 'r' | 's'>): Uint8Array | undefined {
  return s === 0n && r < ADDRESS_LIMIT ? bigintToFixedBytes(r, 20) : undefined;
}
