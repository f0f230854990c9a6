import type { Command } from 'commander';
import { BANK_QUERIES } from './bankQueries.ts';
import {
  ACCOUNT_QUERY,
  BLOCK_QUERY,
  NODE_QUERY,
  TRANSACTION_QUERY,
  TRANSACTIONS_QUERY,
} from './chainQueries.ts';
import { EVIDENCE_QUERIES } from './evidenceQueries.ts';
import { EVM_QUERIES } from './evmQueries.ts';
import { addQuery, type FreeQuery, type QueryCommand } from './queryCommand.ts';
import { DISTRIBUTION_QUERIES, SLASHING_QUERIES } from './rewardQueries.ts';
import { STAKING_QUERIES } from './stakingQueries.ts';

const EXAMPLES = `
<account> and <delegator> are an address of either kind (chain1…, 0x…) or the name of a key.

Examples:
  chaind query bank balances alice
  chaind query bank balances 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 --height 12
  chaind query staking validators --status bonded --limit 5
  chaind query tx F00D… --output json --node http://10.0.0.7:26657`;

type Queries = readonly (QueryCommand | FreeQuery)[];

const GROUPS: readonly (readonly [name: string, about: string, queries: Queries])[] = [
  ['bank', 'balances and supply', BANK_QUERIES],
  ['staking', 'validators and delegations', STAKING_QUERIES],
  ['distribution', 'rewards', DISTRIBUTION_QUERIES],
  ['slashing', 'missed blocks', SLASHING_QUERIES],
  ['evidence', 'double signs', EVIDENCE_QUERIES],
  ['evm', 'addresses and fees of the EVM side', EVM_QUERIES],
];

export function addQueryCommands(program: Command): void {
  const query = program
    .command('query')
    .alias('q')
    .description('query the ledger of a node')
    .addHelpText('after', EXAMPLES);
  for (const [name, about, queries] of GROUPS) {
    const group = query.command(name).description(about);
    for (const it of queries) addQuery(group, it);
  }
  for (const it of [ACCOUNT_QUERY, TRANSACTION_QUERY, TRANSACTIONS_QUERY, BLOCK_QUERY, NODE_QUERY]) {
    addQuery(query, it);
  }
}
