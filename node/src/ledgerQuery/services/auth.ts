import { BaseAccount, ModuleAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth';
import * as auth from 'cosmjs-types/cosmos/auth/v1beta1/query';
import { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination';
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys';
import type { Any } from 'cosmjs-types/google/protobuf/any';
import { type Account, accountRows, moduleAddress, readAccount } from '../../ledger/index.ts';
import { BECH32_PREFIX } from '../../primitives/index.ts';
import { accountText, parseAccount } from '../addresses.ts';
import { pageOf } from '../page.ts';
import { queryErrors } from '../queryErrors.ts';
import { type QueryMethod, type QueryScope, queryMethod } from '../queryMethod.ts';

const SERVICE = '/cosmos.auth.v1beta1.Query';

/** Modules that hold coins, and what they may do with them. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  bonded_tokens_pool: ['burner', 'staking'],
  distribution: [],
  fee_collector: [],
  not_bonded_tokens_pool: ['burner', 'staking'],
};

/** The SDK's defaults, by which the ledger charges gas. */
const PARAMS = {
  maxMemoCharacters: 256n,
  txSigLimit: 7n,
  txSizeCostPerByte: 10n,
  sigVerifyCostEd25519: 590n,
  sigVerifyCostSecp256k1: 1000n,
} as const;

export const AUTH_METHODS: readonly QueryMethod[] = [
  queryMethod(
    `${SERVICE}/Account`,
    [auth.QueryAccountRequest, auth.QueryAccountResponse],
    ({ address }, scope) => ({ account: anyAccount(findAccount(scope, address)) }),
  ),
  queryMethod(
    `${SERVICE}/AccountInfo`,
    [auth.QueryAccountInfoRequest, auth.QueryAccountInfoResponse],
    ({ address }, scope) => ({ info: baseAccount(findAccount(scope, address)) }),
  ),
  queryMethod(
    `${SERVICE}/Accounts`,
    [auth.QueryAccountsRequest, auth.QueryAccountsResponse],
    async (request, scope) => {
      const { items, pagination } = await pageOf(scope, accountRows(), request.pagination);
      return { accounts: items.map(anyOfBase), pagination };
    },
  ),
  queryMethod(
    `${SERVICE}/AccountAddressByID`,
    [auth.QueryAccountAddressByIDRequest, auth.QueryAccountAddressByIDResponse],
    async ({ id, accountId }, scope) => ({ accountAddress: await addressOf(scope, accountId || id) }),
  ),
  queryMethod(`${SERVICE}/Params`, [auth.QueryParamsRequest, auth.QueryParamsResponse], () => ({
    params: { ...PARAMS },
  })),
  queryMethod(
    `${SERVICE}/ModuleAccounts`,
    [auth.QueryModuleAccountsRequest, auth.QueryModuleAccountsResponse],
    (_request, scope) => ({ accounts: Object.keys(MODULES).map((name) => moduleAccount(scope, name)) }),
  ),
  queryMethod(
    `${SERVICE}/ModuleAccountByName`,
    [auth.QueryModuleAccountByNameRequest, auth.QueryModuleAccountByNameResponse],
    ({ name }, scope) => {
      if (!Object.hasOwn(MODULES, name))
        throw queryErrors.notFound(`account ${name.slice(0, 100)} not found`);
      return { account: moduleAccount(scope, name) };
    },
  ),
  queryMethod(`${SERVICE}/Bech32Prefix`, [auth.Bech32PrefixRequest, auth.Bech32PrefixResponse], () => ({
    bech32Prefix: BECH32_PREFIX.account,
  })),
  queryMethod(
    `${SERVICE}/AddressBytesToString`,
    [auth.AddressBytesToStringRequest, auth.AddressBytesToStringResponse],
    ({ addressBytes }) => {
      if (addressBytes.length === 0) throw queryErrors.invalid('empty address bytes is not allowed');
      return { addressString: accountText(addressBytes) };
    },
  ),
  queryMethod(
    `${SERVICE}/AddressStringToBytes`,
    [auth.AddressStringToBytesRequest, auth.AddressStringToBytesResponse],
    ({ addressString }) => ({ addressBytes: parseAccount(addressString) }),
  ),
];

/** There is no index by number: accounts are looked through. */
async function addressOf(scope: QueryScope, accountNumber: bigint): Promise<string> {
  const isIt = (account: BaseAccount) => account.accountNumber === accountNumber;
  const { items } = await pageOf(scope, accountRows(), PageRequest.fromPartial({ limit: 1n }), isIt);
  if (!items[0]) throw queryErrors.notFound(`account address not found with account number ${accountNumber}`);
  return items[0].address;
}

function findAccount({ state }: QueryScope, address: string): Account {
  const account = readAccount(state, parseAccount(address));
  if (!account) throw queryErrors.notFound(`account ${address} not found`);
  return account;
}

function baseAccount(account: Account): BaseAccount {
  const { publicKey, accountNumber, sequence } = account;
  return BaseAccount.fromPartial({
    address: accountText(account.address),
    ...(publicKey && {
      pubKey: {
        typeUrl: '/cosmos.crypto.secp256k1.PubKey',
        value: PubKey.encode({ key: publicKey }).finish(),
      },
    }),
    accountNumber,
    sequence,
  });
}

const anyAccount = (account: Account): Any => anyOfBase(baseAccount(account));

function anyOfBase(base: BaseAccount): Any {
  return { typeUrl: '/cosmos.auth.v1beta1.BaseAccount', value: BaseAccount.encode(base).finish() };
}

function moduleAccount({ state }: QueryScope, name: string): Any {
  const address = moduleAddress(name);
  const account = readAccount(state, address);
  const baseAccount = BaseAccount.fromPartial({
    address: accountText(address),
    accountNumber: account?.accountNumber ?? 0n,
    sequence: account?.sequence ?? 0n,
  });
  const message = ModuleAccount.fromPartial({ baseAccount, name, permissions: [...MODULES[name]!] });
  return { typeUrl: '/cosmos.auth.v1beta1.ModuleAccount', value: ModuleAccount.encode(message).finish() };
}
