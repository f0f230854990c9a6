import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { CodedError } from './errors.ts';

/** DER before the 32 bytes of a key. Source: RFC 8410, 4 and 7. */
const PUBLIC_HEAD = Buffer.from('302a300506032b656e032100', 'hex');
const PRIVATE_HEAD = Buffer.from('302e020100300506032b656e04220420', 'hex');
const CONTEXT = 'chain sealed box 1';
const KEY_BYTES = 32;
const TAG_BYTES = 16;
/** A key seals one box: its nonce may be fixed. */
const NONCE = Buffer.alloc(12);

/** The pair of keys that follows from a secret, for one purpose; 32 bytes each. */
export function boxKeys(
  secret: Uint8Array,
  purpose: string,
): { readonly publicKey: Uint8Array; readonly privateKey: Uint8Array } {
  const privateKey = new Uint8Array(hkdfSync('sha256', secret, '', `${CONTEXT} ${purpose}`, KEY_BYTES));
  return { publicKey: rawOf(createPublicKey(privateOf(privateKey))), privateKey };
}

/**
 * Only the holder of the private key can read it: X25519 with a key of its own, HKDF-SHA256, AES-256-GCM. The bytes are
 * that key (32), the text, the tag (16).
 */
export function sealTo(publicKey: Uint8Array, text: Uint8Array): Uint8Array {
  const own = generateKeyPairSync('x25519');
  const sender = rawOf(own.publicKey);
  const shared = diffieHellman({ privateKey: own.privateKey, publicKey: publicOf(publicKey) });
  const cipher = createCipheriv('aes-256-gcm', keyOf(shared, sender, publicKey), NONCE);
  return Buffer.concat([sender, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** Throws SEALED_BOX when it was sealed to another key, or changed since. */
export function openSealed(privateKey: Uint8Array, sealed: Uint8Array): Uint8Array {
  try {
    const own = privateOf(privateKey);
    const sender = sealed.subarray(0, KEY_BYTES);
    const shared = diffieHellman({ privateKey: own, publicKey: publicOf(sender) });
    const key = keyOf(shared, sender, rawOf(createPublicKey(own)));
    const decipher = createDecipheriv('aes-256-gcm', key, NONCE);
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(KEY_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new CodedError('SEALED_BOX', 'a sealed box was made for another key, or is damaged', { cause });
  }
}

function keyOf(shared: Uint8Array, sender: Uint8Array, receiver: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', shared, Buffer.concat([sender, receiver]), CONTEXT, KEY_BYTES));
}

const rawOf = (key: KeyObject): Uint8Array =>
  key.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_HEAD.length);

const publicOf = (raw: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([PUBLIC_HEAD, raw]), format: 'der', type: 'spki' });

const privateOf = (raw: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PRIVATE_HEAD, raw]), format: 'der', type: 'pkcs8' });
