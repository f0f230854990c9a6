import { Command } from 'commander';
import { addConfigCommands } from './commands/config.ts';
import { addDevCommand } from './commands/dev.ts';
import { addInitCommand } from './commands/init.ts';
import { addKeysCommands } from './commands/keys.ts';
import { addLocalnetCommand } from './commands/localnet.ts';
import { addMigrateCommand } from './commands/migrate/migrate.ts';
import { addQueryCommands } from './commands/query/query.ts';
import { addRollbackCommand } from './commands/rollback.ts';
import { addSnapshotCommands } from './commands/snapshot.ts';
import { addStartCommand } from './commands/start.ts';
import { addStateCommands } from './commands/state.ts';
import { addTxCommands } from './commands/tx/tx.ts';
import { addVersionCommand } from './commands/version.ts';
import { readManifest } from './manifest.ts';

const EXAMPLES = `
Examples:
  chaind dev                              a chain with ten funded accounts on http://127.0.0.1:8545
  chaind init my-node                     make a home in ~/.chain
  chaind start                            run it
  chaind localnet                         four validators and an RPC node on CometBFT
  chaind config validate                  check app.toml and config.toml
  chaind snapshot create                  a snapshot of the state, to restore or state sync from
  chaind migrate evm-split --help         state sync an RPC node into the split layout
  chaind query bank balances 0x…          query the ledger of a node
  chaind tx bank send bob 1000usei --from alice
  chaind <command> --help                 options and examples of a command

Exit codes: 0 done, 1 failed, 2 wrong use. With CHAIND_DEBUG=1 an unexpected error prints its stack.`;

export function createProgram(): Command {
  const program = new Command('chaind')
    .description('A blockchain node with an EVM: runs or follows a chain and serves Ethereum JSON-RPC.')
    .version(readManifest().version, '-V, --version', 'print the version')
    .showHelpAfterError('(add --help for usage)')
    .showSuggestionAfterError()
    .addHelpText('after', EXAMPLES)
    // Before the commands, which inherit it: failures are thrown, `run` makes exit codes of them.
    .exitOverride();
  addInitCommand(program);
  addStartCommand(program);
  addDevCommand(program);
  addLocalnetCommand(program);
  addRollbackCommand(program);
  addMigrateCommand(program);
  addConfigCommands(program);
  addStateCommands(program);
  addKeysCommands(program);
  addSnapshotCommands(program);
  addQueryCommands(program);
  addTxCommands(program);
  addVersionCommand(program);
  return program;
}
