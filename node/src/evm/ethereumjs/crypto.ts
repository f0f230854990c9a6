import { CodedError } from '@chain/platform';
import type { CustomCrypto } from '@ethereumjs/common';
import { concatBytes, recoverPublicKey, sha256 } from '../../primitives/index.ts';
import { kzgVerifier } from './kzg.ts';

/** Native hashing and WebAssembly recovery in place of the library's JavaScript. */
export const fastCrypto: CustomCrypto = {
  sha256,
  kzg: kzgVerifier,
  ecrecover: (digest, v, r, s) => {
    const recoveryId = v === 27n ? 0 : 1;
    const publicKey = recoverPublicKey(digest, { signature: concatBytes(r, s), recoveryId });
    if (!publicKey) throw new CodedError('EVM_INVALID_SIGNATURE', 'no key can have made this signature');
    return publicKey.subarray(1);
  },
};
