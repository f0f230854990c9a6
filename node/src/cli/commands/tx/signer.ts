import { CodedError, isCodedError } from '@chain/platform';
import type { LedgerClient } from '../../../client/index.ts';
import { toBech32 } from '../../../primitives/index.ts';
import type { SigningParty } from '../../ledger/accounts.ts';
import type { TxFlags } from './txFlags.ts';

/** What a signature is bound to: what the chain says of an account. */
export interface Signer {
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
}

interface Account {
  readonly account_number: string;
  readonly sequence: string;
}

/** Asks the node what the flags do not say. Throws CLI_CHAIN_ID and CLI_NO_ACCOUNT. */
export async function findSigner(
  { client, key }: { readonly client: LedgerClient; readonly key: SigningParty },
  flags: Pick<TxFlags, 'chainId' | 'accountNumber' | 'sequence' | 'offline'>,
): Promise<Signer> {
  const { accountNumber, sequence } = flags;
  const isWhole = accountNumber !== undefined && sequence !== undefined;
  if (flags.offline && !(isWhole && flags.chainId !== undefined)) {
    throw new CodedError(
      'CLI_USAGE',
      '--offline asks no node: add --account-number, --sequence and --chain-id',
    );
  }
  // Both numbers given: whoever does so may be far from any node, but then must name the chain too.
  const [chainId, account] = await Promise.all([
    isWhole && flags.chainId !== undefined ? flags.chainId : checkedChainId(client, flags.chainId),
    isWhole ? undefined : findAccount(client, toBech32(key.chainAddress)),
  ]);
  return {
    chainId,
    accountNumber: BigInt(accountNumber ?? account!.account_number),
    sequence: BigInt(sequence ?? account!.sequence),
  };
}

/** A signature for another chain would only be refused, with a text that does not say why. */
async function checkedChainId(client: LedgerClient, wanted: string | undefined): Promise<string> {
  const chainId = await client.chainId();
  if (wanted === undefined || wanted === chainId) return chainId;
  throw new CodedError(
    'CLI_CHAIN_ID',
    `--chain-id ${wanted}: the node at ${client.url} follows ${chainId}; leave --chain-id away, or name another node with --node`,
    { fields: { wanted, chainId } },
  );
}

async function findAccount(client: LedgerClient, address: string): Promise<Account> {
  try {
    const { account } = await client.query<{ account: Account & { base_account?: Account } }>({
      method: 'cosmos.auth.v1beta1.Query/Account',
      parameters: { address },
    });
    return account.base_account ?? account;
  } catch (error) {
    if (!isCodedError(error, 'CLIENT_QUERY_REFUSED') || error.fields.code !== 22) throw error;
    throw new CodedError(
      'CLI_NO_ACCOUNT',
      `${address} has no account on this chain yet: send it something first`,
      { fields: { address }, cause: error },
    );
  }
}
