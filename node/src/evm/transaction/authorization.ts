import { bigintToBytes, concatBytes, encodeRlp, keccak256 } from '../../primitives/index.ts';
import type { Authorization } from './evmTransaction.ts';
import { recoverAddress } from './signature.ts';

const MAGIC = Uint8Array.of(0x05);

/** The 32 bytes that an authority signs (EIP-7702). */
export function authorizationHash(
  authorization: Pick<Authorization, 'chainId' | 'address' | 'nonce'>,
): Uint8Array {
  const fields = [
    bigintToBytes(authorization.chainId),
    authorization.address,
    bigintToBytes(authorization.nonce),
  ];
  return keccak256(concatBytes(MAGIC, encodeRlp(fields)));
}

/** The account that signed the authorization, or `undefined` when the signature is invalid. */
export function recoverAuthority(authorization: Authorization): Uint8Array | undefined {
  return recoverAddress(authorizationHash(authorization), authorization);
}
