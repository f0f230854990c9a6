import type { PageRequest, PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination';
import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin';
import { allBalanceRows } from '../../ledger/index.ts';
import { accountText } from '../addresses.ts';
import { pageOf } from '../page.ts';
import type { QueryScope } from '../queryMethod.ts';

interface Owners {
  readonly denomOwners: { address: string; balance: Coin }[];
  readonly pagination: PageResponse;
}

/** Who holds a denomination. There is no index by denomination: every balance is looked at. */
export async function denominationOwners(
  scope: QueryScope,
  denom: string,
  request: PageRequest | undefined,
): Promise<Owners> {
  const page = await pageOf(scope, allBalanceRows(), request, ({ coin }) => coin.denom === denom);
  return {
    denomOwners: page.items.map(({ address, coin }) => ({ address: accountText(address), balance: coin })),
    pagination: page.pagination,
  };
}
