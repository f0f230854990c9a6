import { CodedError } from '@chain/platform';
import { decryptKeystoreJson, encryptKeystoreJson, isKeystoreJson } from 'ethers';
import { hexToBytes, toChecksumAddress, toHexData } from '../primitives/index.ts';
import type { AccountKey } from './accountKey.ts';
import { keyFileError } from './keyFile.ts';

/** geth's V3 form: scrypt (n 131072, r 8, p 1), AES-128-CTR, keccak MAC. Takes about a second by design. */
export async function encryptKey(key: AccountKey, password: string): Promise<Record<string, unknown>> {
  const account = { address: toChecksumAddress(key.evmAddress), privateKey: toHexData(key.privateKey) };
  return JSON.parse(await encryptKeystoreJson(account, password, { client: 'chaind' }));
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
