import { writeFileDurably } from '@chain/platform';
import { bytesToHex } from '../primitives/index.ts';
import { type Ed25519Key, ed25519Address, ed25519FromSeed, generateEd25519 } from './ed25519.ts';
import { keyFileError, PUBLIC_KEY_TYPE, parsePrivateKey, privateKeyJson, readKeyFile } from './keyFile.ts';

export interface ValidatorKey {
  /** 20 bytes. */
  readonly address: Uint8Array;
  /** ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Signs without any memory: use `openValidatorSigner` for consensus messages. */
  sign(message: Uint8Array): Uint8Array;
}

/** Makes `priv_validator_key.json`, CometBFT's form. With a 32-byte `seed` the key is always the same. */
export async function createValidatorKey(path: string, seed?: Uint8Array): Promise<ValidatorKey> {
  const key = seed ? ed25519FromSeed(seed) : generateEd25519();
  const json = {
    address: bytesToHex(ed25519Address(key.publicKey)).toUpperCase(),
    pub_key: { type: PUBLIC_KEY_TYPE, value: Buffer.from(key.publicKey).toString('base64') },
    priv_key: privateKeyJson(key),
  };
  await writeFileDurably(path, `${JSON.stringify(json, null, 2)}\n`);
  return toValidatorKey(key);
}

/** Throws KEYS_FILE_INVALID when the file is unreadable or its address, public and private key disagree. */
export async function readValidatorKey(path: string): Promise<ValidatorKey> {
  const json = await readKeyFile(path);
  const key = toValidatorKey(parsePrivateKey(path, json.priv_key));
  const address = bytesToHex(key.address).toUpperCase();
  if (json.address !== address) {
    throw keyFileError(path, `address is not that of priv_key, which is ${address}; restore your backup`);
  }
  const publicKey = Buffer.from(key.publicKey).toString('base64');
  if ((json.pub_key as { value?: unknown } | undefined)?.value !== publicKey) {
    throw keyFileError(path, `pub_key is not that of priv_key, which is ${publicKey}; restore your backup`);
  }
  return key;
}

function toValidatorKey(key: Ed25519Key): ValidatorKey {
  return { address: ed25519Address(key.publicKey), publicKey: key.publicKey, sign: key.sign };
}
