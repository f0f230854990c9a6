import type { QueryCommand } from './queryCommand.ts';

const SERVICE = 'cosmos.bank.v1beta1.Query';

interface Coin {
  readonly denom: string;
  readonly amount: string;
}

const table = (coins: readonly Coin[], none: string) => ({
  columns: ['DENOM', 'AMOUNT'],
  rows: coins.map((coin) => [coin.denom, coin.amount]),
  none,
});

export const BANK_QUERIES: readonly QueryCommand[] = [
  {
    usage: 'balances <account>',
    about: 'all coins of an account',
    paged: true,
    method: `${SERVICE}/AllBalances`,
    parameters: ([address]) => ({ address }),
    show: ({ balances }: { balances: Coin[] }, [address]) => table(balances, `${address} holds nothing`),
  },
  {
    usage: 'balance <account> <denom>',
    about: 'what an account has of one denomination',
    method: `${SERVICE}/Balance`,
    parameters: ([address, name]) => ({ address, denom: name }),
    show: ({ balance }: { balance: Coin }) => table([balance], ''),
  },
  {
    usage: 'total',
    about: 'the supply of every denomination',
    paged: true,
    method: `${SERVICE}/TotalSupply`,
    show: ({ supply }: { supply: Coin[] }) => table(supply, 'there are no coins'),
  },
  {
    usage: 'total-of <denom>',
    about: 'the supply of one denomination',
    method: `${SERVICE}/SupplyOf`,
    parameters: ([name]) => ({ denom: name }),
    show: ({ amount }: { amount: Coin }) => table([amount], ''),
  },
  {
    usage: 'holders <denom>',
    about: 'who holds a denomination',
    paged: true,
    method: `${SERVICE}/DenomOwners`,
    parameters: ([name]) => ({ denom: name }),
    show: ({ denom_owners: owners }: { denom_owners: { address: string; balance: Coin }[] }, [name]) => ({
      columns: ['ACCOUNT', 'AMOUNT'],
      rows: owners.map(({ address, balance }) => [address, balance.amount]),
      none: `nobody holds ${name}`,
    }),
  },
];
