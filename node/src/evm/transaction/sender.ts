import { CodedError } from '@chain/platform';
import { evmAddressOf, toHexData } from '../../primitives/index.ts';
import { signingHash } from './encode.ts';
import type { EvmTransaction } from './evmTransaction.ts';
import { curveSignature, recoverSigner } from './signature.ts';
import { isPossibleV } from './signatureValue.ts';

/** Uncompressed public key (65 bytes) of the sender. Throws EVM_INVALID_SIGNATURE with geth's text. */
export function recoverSenderKey(transaction: EvmTransaction): Uint8Array {
  const publicKey = isPossibleV(transaction)
    ? recoverSigner(signingHash(transaction), transaction)
    : undefined;
  if (!publicKey) throw invalidSignature(transaction);
  return publicKey;
}

/** EVM_INVALID_SIGNATURE, for a transaction that nobody has signed. */
export function invalidSignature({ hash }: EvmTransaction): CodedError<'EVM_INVALID_SIGNATURE'> {
  return new CodedError('EVM_INVALID_SIGNATURE', 'invalid transaction v, r, s values', {
    fields: { hash: toHexData(hash) },
  });
}

/** What `recoverSenderKey` asks the curve: digest (32 bytes), r ‖ s, parity; `undefined` where it throws unasked. */
export function senderSignature(
  transaction: EvmTransaction,
): { readonly digest: Uint8Array; readonly signature: Uint8Array; readonly parity: 0 | 1 } | undefined {
  const asked = isPossibleV(transaction) ? curveSignature(transaction) : undefined;
  return asked && { digest: signingHash(transaction), ...asked };
}

/** The sender's address, 20 bytes. Throws EVM_INVALID_SIGNATURE. */
export function recoverSender(transaction: EvmTransaction): Uint8Array {
  return evmAddressOf(recoverSenderKey(transaction));
}
