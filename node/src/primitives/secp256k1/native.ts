import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { areBytesOfSignature, areBytesToVerify, type Signatures } from './signatures.ts';

/** The compiled part of the package `secp256k1`. It answers with codes: 0 is success. */
interface Addon {
  ecdsaRecover(output: Uint8Array, signature: Uint8Array, recoveryId: number, digest: Uint8Array): number;
  ecdsaVerify(signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): number;
}

interface Binary {
  readonly Secp256k1: new () => Addon;
}

const SUCCESS = 0;
const UNCOMPRESSED_BYTES = 65;

/** libsecp256k1 natively. Throws where the package has no binary for this system. */
export function loadNativeSignatures(): Signatures {
  const manifest = createRequire(import.meta.url).resolve('secp256k1/package.json');
  // The package's own entry would fall back to JavaScript without a word.
  const load = createRequire(manifest)('node-gyp-build') as (directory: string) => Binary;
  const { Secp256k1 } = load(dirname(manifest));
  const addon = new Secp256k1();
  return {
    recover: (digest, signature, parity) => {
      if (!areBytesOfSignature(digest, signature)) return undefined;
      const key = new Uint8Array(UNCOMPRESSED_BYTES);
      return addon.ecdsaRecover(key, signature, parity, digest) === SUCCESS ? key : undefined;
    },
    verify: (digest, publicKey, signature) =>
      areBytesToVerify(digest, publicKey, signature) &&
      addon.ecdsaVerify(signature, digest, publicKey) === SUCCESS,
  };
}
