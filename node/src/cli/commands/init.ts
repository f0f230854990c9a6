import { type Command, Option } from 'commander';
import { homeOption, outputOption, parseChainNumber } from '../options.ts';
import { type OutputFormat, printFields } from '../print.ts';

interface InitFlags {
  readonly home: string;
  readonly chainId: string;
  readonly evmChainId?: bigint;
  readonly mode: 'rpc' | 'validator' | 'archive' | 'seed';
  readonly engine: 'embedded' | 'cometbft';
  readonly overwrite: boolean;
  readonly output: OutputFormat;
}

const EXAMPLES = `
A surviving app.toml and node_key.json are kept. A home with a genesis, a validator key or data is refused;
--overwrite replaces genesis and configuration, never keys or the last-sign state.

Examples:
  chaind init my-node
  chaind init my-node --chain-id example-1 --evm-chain-id 424242 --mode archive`;

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
    .addOption(outputOption())
    .addHelpText('after', EXAMPLES)
    .action(initialise);
}

async function initialise(moniker: string, flags: InitFlags): Promise<void> {
  const { initialiseHome } = await import('../../config/index.ts');
  const { output, ...options } = flags;
  const made = await initialiseHome({ moniker, ...options });
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
