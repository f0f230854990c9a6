import * as bank from 'cosmjs-types/cosmos/bank/v1beta1/query';
import {
  BASE_DENOMINATION,
  BASE_METADATA,
  balanceRows,
  type DenominationMetadata,
  isDenomination,
  metadataRows,
  prefixRange,
  readMetadata,
  readSupply,
  readUnits,
  supplyRows,
} from '../../ledger/index.ts';
import { parseAccount } from '../addresses.ts';
import { pageOf, pageOfList } from '../page.ts';
import { queryErrors } from '../queryErrors.ts';
import { type QueryMethod, type QueryScope, queryMethod } from '../queryMethod.ts';
import { denominationOwners } from './denominationOwners.ts';

const SERVICE = '/cosmos.bank.v1beta1.Query';

export const BANK_METHODS: readonly QueryMethod[] = [
  queryMethod(
    `${SERVICE}/Balance`,
    [bank.QueryBalanceRequest, bank.QueryBalanceResponse],
    (request, scope) => ({ balance: balanceOf(scope, request) }),
  ),
  queryMethod(
    `${SERVICE}/AllBalances`,
    [bank.QueryAllBalancesRequest, bank.QueryAllBalancesResponse],
    async ({ address, pagination }, scope) => {
      const page = await pageOf(scope, balanceRows(parseAccount(address)), pagination);
      return { balances: page.items, pagination: page.pagination };
    },
  ),
  // Nothing locks coins here, so all are spendable.
  queryMethod(
    `${SERVICE}/SpendableBalances`,
    [bank.QuerySpendableBalancesRequest, bank.QuerySpendableBalancesResponse],
    async ({ address, pagination }, scope) => {
      const page = await pageOf(scope, balanceRows(parseAccount(address)), pagination);
      return { balances: page.items, pagination: page.pagination };
    },
  ),
  queryMethod(
    `${SERVICE}/SpendableBalanceByDenom`,
    [bank.QuerySpendableBalanceByDenomRequest, bank.QuerySpendableBalanceByDenomResponse],
    (request, scope) => ({ balance: balanceOf(scope, request) }),
  ),
  queryMethod(
    `${SERVICE}/TotalSupply`,
    [bank.QueryTotalSupplyRequest, bank.QueryTotalSupplyResponse],
    async (request, scope) => {
      const { items, pagination } = await pageOf(scope, supplyRows(), request.pagination);
      return { supply: items, pagination };
    },
  ),
  queryMethod(
    `${SERVICE}/SupplyOf`,
    [bank.QuerySupplyOfRequest, bank.QuerySupplyOfResponse],
    ({ denom }, { state }) => ({
      amount: { denom: checked(denom), amount: readSupply(state, denom).toString() },
    }),
  ),
  queryMethod(`${SERVICE}/Params`, [bank.QueryParamsRequest, bank.QueryParamsResponse], () => ({
    params: { sendEnabled: [], defaultSendEnabled: true },
  })),
  queryMethod(
    `${SERVICE}/DenomMetadata`,
    [bank.QueryDenomMetadataRequest, bank.QueryDenomMetadataResponse],
    ({ denom }, { state }) => ({ metadata: metadataOf(state, denom) }),
  ),
  queryMethod(
    `${SERVICE}/DenomMetadataByQueryString`,
    [bank.QueryDenomMetadataByQueryStringRequest, bank.QueryDenomMetadataByQueryStringResponse],
    ({ denom }, { state }) => ({ metadata: metadataOf(state, denom) }),
  ),
  queryMethod(
    `${SERVICE}/DenomsMetadata`,
    [bank.QueryDenomsMetadataRequest, bank.QueryDenomsMetadataResponse],
    async (request, scope) => {
      const { items, pagination } = pageOfList(await allMetadata(scope), request.pagination);
      return { metadatas: items, pagination };
    },
  ),
  queryMethod(
    `${SERVICE}/DenomOwners`,
    [bank.QueryDenomOwnersRequest, bank.QueryDenomOwnersResponse],
    async ({ denom, pagination }, scope) => denominationOwners(scope, checked(denom), pagination),
  ),
  queryMethod(
    `${SERVICE}/DenomOwnersByQuery`,
    [bank.QueryDenomOwnersByQueryRequest, bank.QueryDenomOwnersByQueryResponse],
    async ({ denom, pagination }, scope) => denominationOwners(scope, checked(denom), pagination),
  ),
  // No denomination has a switch of its own: the default of the parameters holds for all.
  queryMethod(
    `${SERVICE}/SendEnabled`,
    [bank.QuerySendEnabledRequest, bank.QuerySendEnabledResponse],
    () => ({
      sendEnabled: [],
    }),
  ),
];

function balanceOf({ state }: QueryScope, { address, denom }: { address: string; denom: string }) {
  const account = parseAccount(address);
  return { denom: checked(denom), amount: readUnits(state, account, denom).toString() };
}

function checked(denom: string): string {
  if (isDenomination(denom)) return denom;
  throw queryErrors.invalid(`invalid denom: ${denom.slice(0, 140)}`);
}

function metadataOf(state: QueryScope['state'], denom: string): DenominationMetadata {
  const metadata = readMetadata(state, checked(denom));
  if (!metadata) throw queryErrors.notFound(`client metadata for denom ${denom}`);
  return metadata;
}

/** What genesis described, and the base denomination in any case; by denomination. */
async function allMetadata(scope: QueryScope): Promise<DenominationMetadata[]> {
  const { store, prefix, decode } = metadataRows();
  const all: DenominationMetadata[] = [];
  for await (const [key, value] of scope.iterate(store, prefixRange(prefix))) all.push(decode(key, value));
  if (!all.some(({ base }) => base === BASE_DENOMINATION)) all.push(BASE_METADATA);
  return all.sort((a, b) => (a.base < b.base ? -1 : 1));
}
