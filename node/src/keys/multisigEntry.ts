import { CodedError } from '@chain/platform';
import { bytesToHex, equalBytes, hexToBytes, multisigAddressOf } from '../primitives/index.ts';
import { keyFileError } from './keyFile.ts';

/** Several keys of which a number must sign. There is no secret in it. */
export interface MultisigEntry {
  readonly name: string;
  readonly chainAddress: Uint8Array;
  readonly threshold: number;
  /** Compressed, 33 bytes each, in the order that the address is made of. */
  readonly publicKeys: readonly Uint8Array[];
}

/** As many as may sign a transaction (`auth` params, `tx_sig_limit`). */
const MAX_MEMBERS = 7;

/** Throws KEYS_MULTISIG_INVALID. */
export function multisigEntry(
  name: string,
  { threshold, publicKeys }: Pick<MultisigEntry, 'threshold' | 'publicKeys'>,
): MultisigEntry {
  const count = publicKeys.length;
  if (count < 1 || count > MAX_MEMBERS) throw invalid(`${count} keys; name 1 to ${MAX_MEMBERS}`);
  if (!(Number.isInteger(threshold) && threshold >= 1 && threshold <= count)) {
    throw invalid(`a threshold of ${threshold} of ${count} keys; write 1 to ${count}`);
  }
  const isTwice = publicKeys.some((key, i) =>
    publicKeys.slice(i + 1).some((other) => equalBytes(key, other)),
  );
  if (isTwice) throw invalid('one of the keys twice; name each once');
  return { name, threshold, publicKeys, chainAddress: multisigAddressOf(threshold, publicKeys) };
}

function invalid(what: string): CodedError<'KEYS_MULTISIG_INVALID'> {
  return new CodedError('KEYS_MULTISIG_INVALID', `a key of several cannot have ${what}`);
}

export function multisigJson({ threshold, publicKeys }: MultisigEntry): string {
  const multisig = { threshold, publicKeys: publicKeys.map((key) => `0x${bytesToHex(key)}`) };
  return `${JSON.stringify({ chain: { multisig } }, null, 2)}\n`;
}

/** `undefined` for the file of a single key. */
export function parseMultisig(
  name: string,
  path: string,
  { chain }: Record<string, unknown>,
): MultisigEntry | undefined {
  const multisig = (chain as { multisig?: { threshold?: unknown; publicKeys?: unknown } } | undefined)
    ?.multisig;
  if (multisig === undefined) return undefined;
  const { threshold, publicKeys } = multisig;
  const isList = Array.isArray(publicKeys) && publicKeys.every((key) => /^0x[0-9a-f]{66}$/.test(String(key)));
  if (!isList)
    throw keyFileError(path, 'its multisig has no list of public keys; restore it from your backup');
  return multisigEntry(name, {
    threshold: Number(threshold),
    publicKeys: publicKeys.map((it) => hexToBytes(it)),
  });
}
