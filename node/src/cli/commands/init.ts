import { type Command, Option } from 'commander';
import { homeOption, outputOption, parseChainNumber } from '../options.ts';
import { type OutputFormat, printFields } from '../print.ts';
import { isWholeHome } from './wholeHome.ts';

interface InitFlags {
  readonly home: string;
  readonly chainId: string;
  readonly evmChainId?: bigint;
  readonly mode: 'rpc' | 'validator' | 'archive' | 'seed';
  readonly engine: 'embedded' | 'cometbft';
  readonly overwrite: boolean;
  readonly ifAbsent: boolean;
  readonly genesis?: string;
  readonly nodeKey?: string;
  readonly validatorKey?: string;
  readonly output: OutputFormat;
}

const EXAMPLES = `
A surviving app.toml and node_key.json are kept. A home with a genesis, a validator key or data is refused;
--overwrite replaces genesis and configuration, never keys or the last-sign state. With --if-absent a home that is
there is left as it is, so that a container may run it at each start.

Examples:
  chaind init my-node
  chaind init my-node --chain-id example-1 --evm-chain-id 424242 --mode archive
  chaind init my-node --genesis /genesis/genesis.json --engine cometbft --if-absent`;

export function addInitCommand(program: Command): void {
  program
    .command('init')
    .description('make a home: keys, configuration and a genesis')
    .argument('<moniker>', 'name of this node, for people')
    .addOption(homeOption())
    .option('--chain-id <id>', 'id of the chain', 'chain-local-1')
    .option(
      '--evm-chain-id <number>',
      'EVM chain id; required with any other chain id than chain-local-1 (which has 713714)',
      parseChainNumber,
    )
    .addOption(
      new Option('--mode <mode>', 'role').choices(['rpc', 'validator', 'archive', 'seed']).default('rpc'),
    )
    .addOption(
      new Option('--engine <engine>', 'what decides blocks')
        .choices(['embedded', 'cometbft'])
        .default('embedded'),
    )
    .option('--overwrite', 'replace genesis and configuration; keys stay', false)
    .option(
      '--if-absent',
      'do nothing when the home is there, and fail when it is of another --genesis',
      false,
    )
    .option('--genesis <file>', 'genesis of a chain that is there; the chain ids are its')
    .option('--node-key <file>', 'node key to begin with')
    .option('--validator-key <file>', 'validator key to begin with')
    .addOption(outputOption())
    .addHelpText('after', EXAMPLES)
    .action(initialise);
}

async function initialise(moniker: string, flags: InitFlags): Promise<void> {
  const { output, ifAbsent, genesis, nodeKey, validatorKey, ...options } = flags;
  if (ifAbsent && (await isWholeHome(flags.home, genesis))) {
    printFields({ home: flags.home, kept: 'all of it' }, output);
    return;
  }
  const { initialiseHome } = await import('../../config/index.ts');
  const given = {
    ...(genesis !== undefined && { genesis }),
    ...(nodeKey !== undefined && { nodeKey }),
    ...(validatorKey !== undefined && { validatorKey }),
  };
  const made = await initialiseHome({ moniker, ...options, given });
  printFields(
    {
      home: made.home,
      chainId: made.chainId,
      evmChainId: made.evmChainId,
      mode: flags.mode,
      engine: flags.engine,
      nodeId: made.nodeId,
      kept: made.kept,
    },
    output,
  );
}
