import { join } from 'node:path';
import { CodedError } from '@chain/platform';
import type { LedgerClient } from '../../client/index.ts';
import type { Keystore, KeystoreEntry, MultisigEntry } from '../../keys/index.ts';
import { fromBech32, toBech32 } from '../../primitives/index.ts';

/** The keys of a home. */
export async function openKeyring(home: string): Promise<Keystore> {
  const { openKeystore } = await import('../../keys/index.ts');
  return openKeystore({ directory: join(home, 'keyring') });
}

/** A key by its name or by one of its addresses. Throws KEYS_NOT_FOUND. */
export async function findKey(keyring: Keystore, text: string): Promise<KeystoreEntry> {
  if (!isAddress(text)) return keyring.find(text);
  const entries = await keyring.list();
  const wanted = text.toLowerCase();
  const found = entries.find(({ chainAddress, evmAddress }) =>
    [toBech32(chainAddress), `0x${Buffer.from(evmAddress).toString('hex')}`].includes(wanted),
  );
  if (!found) {
    throw new CodedError(
      'KEYS_NOT_FOUND',
      `no key of this home has the address ${text}; see "chaind keys list"`,
      {
        fields: { address: text },
      },
    );
  }
  return found;
}

/** Who a transaction is from: a key of the home, or several of which a number must sign. */
export type SigningParty = KeystoreEntry | MultisigEntry;

export const isMultisig = (party: SigningParty): party is MultisigEntry => 'threshold' in party;

/** As `findKey`, or a key of several. */
export async function findParty(keyring: Keystore, text: string): Promise<SigningParty> {
  const multisigs = await keyring.listMultisigs();
  const found = multisigs.find(
    ({ name, chainAddress }) => name === text || toBech32(chainAddress) === text.toLowerCase(),
  );
  return found ?? findKey(keyring, text);
}

/** A key of several by its name or address. Throws KEYS_NOT_FOUND. */
export async function findMultisig(keyring: Keystore, text: string): Promise<MultisigEntry> {
  const party = await findParty(keyring, text);
  if (isMultisig(party)) return party;
  throw new CodedError(
    'KEYS_NOT_FOUND',
    `"${text}" is a single key; make one of several with "chaind keys add <name> --multisig a,b,c --multisig-threshold 2"`,
    { fields: { name: text } },
  );
}

export interface AddressScope {
  readonly client: LedgerClient;
  readonly home: string;
  /** No node can be asked. */
  readonly offline?: boolean;
}

/**
 * The bech32 address that a person means by an address of either kind, or by the name of a key; an EVM address is
 * looked up at the node. Throws CLI_ADDRESS.
 */
export async function accountAddress(
  text: string,
  { client, home, offline = false }: AddressScope,
): Promise<string> {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) {
    if (offline) {
      const remedy = 'with --offline write its chain1… address, or the name of a key';
      throw new CodedError('CLI_USAGE', `the account of ${text} is looked up at the node; ${remedy}`);
    }
    const answer = await client.query({
      method: 'chain.evm.v1.Query/ChainAddressByEVMAddress',
      parameters: { evm_address: text },
    });
    return String(answer.chain_address);
  }
  if (/^0x|^chain\w*1/.test(text)) return checkedBech32(text);
  const entry = await openKeyring(home)
    .then((keyring) => findParty(keyring, text))
    .catch((cause: unknown) => {
      throw notAnAddress(text, cause);
    });
  return toBech32(entry.chainAddress);
}

function checkedBech32(text: string): string {
  try {
    fromBech32(text, 'chain');
    return text;
  } catch (cause) {
    throw notAnAddress(text, cause);
  }
}

function isAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text) || /^chain1[a-z0-9]{38,}$/.test(text);
}

function notAnAddress(text: string, cause: unknown): CodedError {
  return new CodedError(
    'CLI_ADDRESS',
    `"${text.slice(0, 80)}" is no account: write chain1…, 0x… or the name of a key in this home`,
    { fields: { given: text.slice(0, 80) }, cause },
  );
}
