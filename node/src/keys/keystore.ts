import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, pathExists, syncDirectory, writeFileDurably } from '@chain/platform';
import { bytesToHex, hexToBytes, toHexData } from '../primitives/index.ts';
import { type AccountKey, accountFromPrivateKey, addressesOf } from './accountKey.ts';
import { keyFileError, readKeyFile } from './keyFile.ts';
import { type MultisigEntry, multisigJson, parseMultisig } from './multisigEntry.ts';
import { decryptKey, encryptKey } from './v3Cipher.ts';

export interface KeystoreEntry {
  readonly name: string;
  readonly evmAddress: Uint8Array;
  readonly chainAddress: Uint8Array;
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
}

/** Named account keys, each in one encrypted file `<directory>/<name>.json` that geth and ethers can read. */
export interface Keystore {
  /** By name; needs no password. */
  list(): Promise<KeystoreEntry[]>;
  /** Throws KEYS_NOT_FOUND, and KEYS_MULTISIG for a key of several. */
  find(name: string): Promise<KeystoreEntry>;
  /** Keys of several, by name. */
  listMultisigs(): Promise<MultisigEntry[]>;
  /** Throws KEYS_NAME_TAKEN, KEYS_NAME_INVALID. */
  addMultisig(entry: MultisigEntry): Promise<void>;
  /** Stores a key, a fresh one when none is given. Throws KEYS_NAME_TAKEN, KEYS_NAME_INVALID, KEYS_PASSWORD_WEAK. */
  add(name: string, password: string, privateKey?: Uint8Array): Promise<KeystoreEntry>;
  /** The key itself. Throws KEYS_NOT_FOUND, KEYS_PASSWORD_WRONG. */
  unlock(name: string, password: string): Promise<AccountKey>;
  delete(name: string): Promise<void>;
}

const MIN_PASSWORD_LENGTH = 8;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function openKeystore(options: { readonly directory: string }): Keystore {
  const pathOf = (name: string): string => join(options.directory, `${checkedName(name)}.json`);
  const read = async (name: string): Promise<KeystoreEntry | MultisigEntry> => {
    const path = pathOf(name);
    if (!(await pathExists(path))) throw notFound(name, options.directory);
    const json = await readKeyFile(path);
    return parseMultisig(name, path, json) ?? toEntry(name, path, json);
  };
  const find = async (name: string): Promise<KeystoreEntry> => {
    const entry = await read(name);
    if (isMultisig(entry)) throw needsMembers(entry);
    return entry;
  };
  const readAll = async () => Promise.all((await namesIn(options.directory)).map(read));
  return {
    list: async () => (await readAll()).filter((entry): entry is KeystoreEntry => !isMultisig(entry)),
    find,
    listMultisigs: async () => (await readAll()).filter(isMultisig),
    addMultisig: async (entry) => {
      const path = pathOf(entry.name);
      if (await pathExists(path)) throw nameTaken(entry.name);
      await writeFileDurably(path, multisigJson(entry));
    },
    add: async (name, password, privateKey) => {
      const path = pathOf(name);
      if (await pathExists(path)) throw nameTaken(name);
      if (password.length < MIN_PASSWORD_LENGTH) throw weakPassword();
      const key = accountFromPrivateKey(privateKey ?? randomBytes(32));
      // Public, and beyond geth's members: `list` then needs no password.
      const content = {
        ...(await encryptKey(key, password)),
        chain: { publicKey: toHexData(key.publicKey) },
      };
      await writeFileDurably(path, `${JSON.stringify(content, null, 2)}\n`);
      return { name, publicKey: key.publicKey, evmAddress: key.evmAddress, chainAddress: key.chainAddress };
    },
    unlock: async (name, password) => {
      await find(name);
      const path = pathOf(name);
      return accountFromPrivateKey(await decryptKey(path, await readKeyFile(path), password));
    },
    delete: async (name) => {
      await read(name);
      await rm(pathOf(name));
      await syncDirectory(options.directory);
    },
  };
}

function isMultisig(entry: KeystoreEntry | MultisigEntry): entry is MultisigEntry {
  return 'threshold' in entry;
}

function needsMembers({ name, threshold, publicKeys }: MultisigEntry): CodedError<'KEYS_MULTISIG'> {
  return new CodedError(
    'KEYS_MULTISIG',
    `"${name}" is a key of several, which cannot sign itself: ${threshold} of its ${publicKeys.length} members sign with "chaind tx sign --multisig ${name}", then "chaind tx multisign" joins them`,
    { fields: { name } },
  );
}

function toEntry(name: string, path: string, json: Record<string, unknown>): KeystoreEntry {
  const stored = (json.chain as { publicKey?: unknown } | undefined)?.publicKey;
  if (typeof stored !== 'string')
    throw keyFileError(path, 'was not made by this program; import its private key');
  const publicKey = hexToBytes(stored);
  const addresses = addressesOf(publicKey);
  if (String(json.address).toLowerCase() !== bytesToHex(addresses.evmAddress)) {
    throw keyFileError(path, 'address and public key do not belong together; restore it from your backup');
  }
  return { name, publicKey, ...addresses };
}

async function namesIn(directory: string): Promise<string[]> {
  if (!(await pathExists(directory))) return [];
  const files = await readdir(directory);
  return files
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -5))
    .sort();
}

function checkedName(name: string): string {
  if (NAME.test(name)) return name;
  throw new CodedError(
    'KEYS_NAME_INVALID',
    `"${name.slice(0, 80)}" is no key name: use letters, digits, ".", "_" and "-", at most 64, not "." first`,
    { fields: { name: name.slice(0, 80) } },
  );
}

function notFound(name: string, directory: string): CodedError<'KEYS_NOT_FOUND'> {
  return new CodedError(
    'KEYS_NOT_FOUND',
    `there is no key "${name}" in ${directory}; see "chaind keys list"`,
    {
      fields: { name, directory },
    },
  );
}

function nameTaken(name: string): CodedError<'KEYS_NAME_TAKEN'> {
  return new CodedError(
    'KEYS_NAME_TAKEN',
    `a key "${name}" exists already; choose another name or delete it`,
    {
      fields: { name },
    },
  );
}

function weakPassword(): CodedError<'KEYS_PASSWORD_WEAK'> {
  return new CodedError(
    'KEYS_PASSWORD_WEAK',
    `the password needs at least ${MIN_PASSWORD_LENGTH} characters`,
  );
}
