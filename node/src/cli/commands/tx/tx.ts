import type { Command } from 'commander';
import { BANK_TRANSACTIONS } from './bankTransactions.ts';
import { addOfflineCommands } from './offlineTransactions.ts';
import { DISTRIBUTION_TRANSACTIONS, EVM_TRANSACTIONS, SLASHING_TRANSACTIONS } from './otherTransactions.ts';
import { STAKING_TRANSACTIONS } from './stakingTransactions.ts';
import { addTransaction, type TxCommand } from './txCommand.ts';

const EXAMPLES = `
Keys are those of the home (chaind keys). Before it signs, the program shows the transaction and asks; --yes leaves
that out. Exit code 1: refused, or failed in its block.

Examples:
  chaind tx bank send 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 1000usei --from alice
  chaind tx staking delegate chainvaloper1… 5000000usei --from alice --broadcast-mode commit
  chaind tx bank send bob 1usei --from alice --dry-run
  chaind tx bank send bob 1usei --from alice --generate-only > unsigned.json
  chaind tx sign unsigned.json --from alice > signed.json && chaind tx broadcast signed.json

A key of several (chaind keys add team --multisig alice,bob,carol --multisig-threshold 2) signs in steps:
  chaind tx bank send bob 1usei --from team --generate-only > unsigned.json
  chaind tx sign unsigned.json --from alice --multisig team --output-document alice.json
  chaind tx sign unsigned.json --from bob --multisig team --output-document bob.json
  chaind tx multisign unsigned.json team alice.json bob.json > signed.json && chaind tx broadcast signed.json`;

const GROUPS: readonly (readonly [name: string, about: string, commands: readonly TxCommand[]])[] = [
  ['bank', 'coins', BANK_TRANSACTIONS],
  ['staking', 'validators and stakes', STAKING_TRANSACTIONS],
  ['distribution', 'rewards', DISTRIBUTION_TRANSACTIONS],
  ['slashing', 'jailed validators', SLASHING_TRANSACTIONS],
  ['evm', 'the EVM side of an account', EVM_TRANSACTIONS],
];

export function addTxCommands(program: Command): void {
  const tx = program
    .command('tx')
    .description('create, sign and send ledger transactions')
    .addHelpText('after', EXAMPLES);
  for (const [name, about, commands] of GROUPS) {
    const group = tx.command(name).description(about);
    for (const it of commands) addTransaction(group, it);
  }
  addOfflineCommands(tx);
}
