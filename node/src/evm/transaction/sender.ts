import { CodedError } from '@chain/platform';
import { evmAddressOf, toHexData } from '../../primitives/index.ts';
import { signingHash } from './encode.ts';
import type { EvmTransaction } from './evmTransaction.ts';
import { recoverSigner } from './signature.ts';
import { isPossibleV } from './signatureValue.ts';

/** Uncompressed public key (65 bytes) of the sender. Throws EVM_INVALID_SIGNATURE with geth's text. */
export function recoverSenderKey(transaction: EvmTransaction): Uint8Array {
  const publicKey = isPossibleV(transaction)
    ? recoverSigner(signingHash(transaction), transaction)
    : undefined;
  if (!publicKey) {
    throw new CodedError('EVM_INVALID_SIGNATURE', 'invalid transaction v, r, s values', {
      fields: { hash: toHexData(transaction.hash) },
    });
  }
  return publicKey;
}

/** The sender's address, 20 bytes. Throws EVM_INVALID_SIGNATURE. */
export function recoverSender(transaction: EvmTransaction): Uint8Array {
  return evmAddressOf(recoverSenderKey(transaction));
}
