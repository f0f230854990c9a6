import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { sha256 } from '../primitives/index.ts';

/** A 32-byte seed makes the pair; CometBFT stores seed ‖ public key, 64 bytes. */
export interface Ed25519Key {
  readonly publicKey: Uint8Array;
  /** Seed ‖ public key. Secret. */
  readonly secret: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}

// RFC 8410: what stands before the seed in a PKCS #8 private key.
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

export function generateEd25519(): Ed25519Key {
  const { privateKey } = generateKeyPairSync('ed25519');
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  return fromKeyObject(privateKey, der.subarray(der.length - 32));
}

/** `seed`: 32 bytes. */
export function ed25519FromSeed(seed: Uint8Array): Ed25519Key {
  const der = Buffer.concat([PKCS8_HEAD, seed]);
  return fromKeyObject(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }), seed);
}

function fromKeyObject(privateKey: KeyObject, seed: Uint8Array): Ed25519Key {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const publicKey = Uint8Array.from(spki.subarray(spki.length - 32));
  return {
    publicKey,
    secret: Buffer.concat([seed, publicKey]),
    sign: (message) => sign(null, message, privateKey),
  };
}

/** CometBFT's address of an ed25519 key: the first 20 bytes of its SHA-256. */
export function ed25519Address(publicKey: Uint8Array): Uint8Array {
  return sha256(publicKey).subarray(0, 20);
}
