import { scrypt as nativeScrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { CodedError, parseJson } from '@chain/platform';
import { decryptKeystoreJson, encryptKeystoreJson, getBytes, isKeystoreJson, scrypt } from 'ethers';
import { hexToBytes, toChecksumAddress, toHexData } from '../primitives/index.ts';
import type { AccountKey } from './accountKey.ts';
import { keyFileError } from './keyFile.ts';

/** Of one derivation; geth's files take 128 to 256 MiB. */
const MAX_SCRYPT_BYTES = 1024 ** 3;
const derive = promisify<Uint8Array, Uint8Array, number, object, Buffer>(nativeScrypt);

// Node's own takes a third of the time of the library's, and another thread.
scrypt.register((...[password, salt, N, r, p, length]) =>
  derive(getBytes(password), getBytes(salt), length, { N, r, p, maxmem: MAX_SCRYPT_BYTES }),
);

/** geth's V3 form: scrypt (n 131072, r 8, p 1), AES-128-CTR, keccak MAC. Takes about a second by design. */
export async function encryptKey(key: AccountKey, password: string): Promise<Record<string, unknown>> {
  const account = { address: toChecksumAddress(key.evmAddress), privateKey: toHexData(key.privateKey) };
  return parseJson(await encryptKeystoreJson(account, password, { client: 'chaind' })) as Record<
    string,
    unknown
  >;
}

/** The private key, 32 bytes. Throws KEYS_PASSWORD_WRONG, KEYS_FILE_INVALID. */
export async function decryptKey(path: string, json: object, password: string): Promise<Uint8Array> {
  const text = JSON.stringify(json);
  if (!isKeystoreJson(text)) throw keyFileError(path, 'is not a version 3 keystore file');
  try {
    return hexToBytes((await decryptKeystoreJson(text, password)).privateKey);
  } catch (cause) {
    if (!String((cause as Error).message).includes('incorrect password')) {
      throw keyFileError(path, 'cannot be decrypted; restore it from your backup');
    }
    throw new CodedError('KEYS_PASSWORD_WRONG', `${path}: wrong password`, { fields: { path } });
  }
}
