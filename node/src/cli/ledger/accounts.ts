import { join } from 'node:path';
import { CodedError } from '@chain/platform';
import type { LedgerClient } from '../../client/index.ts';
import type { Keystore, KeystoreEntry } from '../../keys/index.ts';
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

/**
 * The bech32 address that a person means by an address of either kind, or by the name of a key; an EVM address is
 * looked up at the node. Throws CLI_ADDRESS.
 */
export async function accountAddress(
  text: string,
  { client, home }: { readonly client: LedgerClient; readonly home: string },
): Promise<string> {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) {
    const answer = await client.query({
      method: 'chain.evm.v1.Query/ChainAddressByEVMAddress',
      parameters: { evm_address: text },
    });
    return String(answer.chain_address);
  }
  if (/^0x|^chain\w*1/.test(text)) return checkedBech32(text);
  const entry = await openKeyring(home)
    .then((keyring) => keyring.find(text))
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
