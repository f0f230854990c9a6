import {
  type EvmTransaction,
  impersonatedTransaction,
  signedTransaction,
  signingHash,
  type UnsignedEvmTransaction,
} from '../../evm/index.ts';
import { bytesToBigint, signDigest } from '../../primitives/index.ts';
import type { CallParameter } from '../codec/callRequest.ts';
import { serverError } from '../rpcError.ts';
import type { DevelopmentUses } from './developmentMethod.ts';

/** The sender of a transaction object: its `from`, else the first hosted account. */
export function senderOf({ development }: DevelopmentUses, { from }: CallParameter): Uint8Array {
  const sender = from ?? development.controls.accounts[0]?.evmAddress;
  if (!sender) throw serverError('the transaction has no `from`, and the node hosts no account');
  return sender;
}

/** Signed with a hosted key, or sent in the name of an impersonated account. Throws −32000 for any other. */
export function signedBy(
  { development }: DevelopmentUses,
  sender: Uint8Array,
  unsigned: UnsignedEvmTransaction,
): EvmTransaction {
  if (development.isImpersonated(sender)) return impersonatedTransaction(unsigned, sender);
  return signedWith(development.keyOf(sender), unsigned);
}

export function signedWith(privateKey: Uint8Array, unsigned: UnsignedEvmTransaction): EvmTransaction {
  const { signature, recoveryId } = signDigest(signingHash(unsigned), privateKey);
  const base = unsigned.type > 0 ? 0n : 35n + 2n * (unsigned.chainId ?? 0n);
  return signedTransaction(unsigned, {
    v: base + BigInt(recoveryId),
    r: bytesToBigint(signature.subarray(0, 32)),
    s: bytesToBigint(signature.subarray(32)),
  });
}
