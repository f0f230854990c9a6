import { createRequire } from 'node:module';
import type * as TinySecp256k1 from 'tiny-secp256k1';
import { areBytesOfSignature, areBytesToVerify, type Signatures } from './signatures.ts';

// The package's ES module entry loads its WebAssembly by a bundler's rules; the CommonJS one works in Node.
export const curve = createRequire(import.meta.url)('tiny-secp256k1') as typeof TinySecp256k1;

/** libsecp256k1 in WebAssembly: runs everywhere, about four times as long as natively. */
export const webAssemblySignatures: Signatures = {
  recover: (digest, signature, parity) => {
    if (!areBytesOfSignature(digest, signature)) return undefined;
    return impossibleIs(undefined, () => curve.recover(digest, signature, parity, false) ?? undefined);
  },
  verify: (digest, publicKey, signature) => {
    if (!areBytesToVerify(digest, publicKey, signature)) return false;
    return impossibleIs(false, () => curve.verify(digest, publicKey, signature, true));
  },
};

/** The library throws errors of its own for numbers and points that do not exist; a full stack is none of them. */
function impossibleIs<T>(value: T, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return value;
  }
}
