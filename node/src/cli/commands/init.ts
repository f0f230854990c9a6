import { type Command, Option } from 'commander';
import { homeOption, outputOption, parseChainNumber, parseCount } from '../options.ts';
import { type OutputFormat, printFields } from '../print.ts';
import { fetchGenesis } from './fetchGenesis.ts';
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
  readonly genesisSha256?: string;
  readonly settings?: string;
  readonly trustedRpc: readonly string[];
  readonly allowSingleRpc: boolean;
  readonly delta: number;
  readonly nodeKey?: string;
  readonly validatorKey?: string;
  readonly signFloor?: string;
  readonly output: OutputFormat;
}

const EXAMPLES = `
A surviving app.toml and node_key.json are kept. A home with a genesis, a validator key or data is refused;
--overwrite replaces genesis and configuration, never keys or the last-sign state. With --if-absent a home that is
there is left as it is, so that a container may run it at each start. --settings and --trusted-rpc then still do their
part: the former replaces app.toml and config.toml but for the layout of data that are there, the latter sets a home
that has no state yet to state sync from a block below the newest one of these servers. A home with another key than
--validator-key is refused.

Examples:
  chaind init my-node
  chaind init my-node --chain-id example-1 --evm-chain-id 424242 --mode archive
  chaind init my-node --genesis /genesis/genesis.json --engine cometbft --if-absent
  chaind init my-node --genesis https://example.com/genesis.json --genesis-sha256 5f0c… --engine cometbft \\
    --trusted-rpc http://a.example:26657 --trusted-rpc http://b.example:26657`;

export function addInitCommand(program: Command): void {
  program
    .command('init')
    .description('create a home: keys, configuration and a genesis')
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
    .option('--genesis <file|url>', 'genesis of an existing chain; it sets the chain ids')
    .option('--genesis-sha256 <hex>', 'SHA-256 of that file; required with a URL')
    .option('--node-key <file>', 'node key of the new home')
    .option('--validator-key <file>', 'validator key of the new home')
    .option(
      '--sign-floor <file>',
      'what that key has signed at least, kept outside the home: a home that knows of less is refused',
    )
    .option(
      '--settings <directory>',
      'directory with app.toml and config.toml that replace those of the home',
    )
    .option(
      '--trusted-rpc <url>',
      'consensus RPC to state sync by while there is no state; name two or more',
      (url: string, all: readonly string[]) => [...all, url],
      [],
    )
    .option('--allow-single-rpc', 'trust a single RPC', false)
    .option('--delta <blocks>', 'distance of the trusted block below the newest', parseCount, 10_000)
    .addOption(outputOption())
    .addHelpText('after', EXAMPLES)
    .action(initialise);
}

async function initialise(moniker: string, flags: InitFlags): Promise<void> {
  const { home, ifAbsent, output } = flags;
  const made =
    ifAbsent && (await isWholeHome(home, flags)) ? { home, kept: 'all of it' } : await make(moniker, flags);
  const done: Record<string, unknown> = { ...made };
  await guardKey(flags);
  if (flags.settings !== undefined) {
    const { placeSettings } = await import('../../config/index.ts');
    done.settings = (await placeSettings(home, flags.settings)).join(', ') || 'unchanged';
  }
  if (flags.trustedRpc.length > 0) {
    const { beginStateSync } = await import('../../app/index.ts');
    const { trustedRpc: urls, allowSingleRpc: allowSingle, delta } = flags;
    done.stateSync = await beginStateSync({ home, urls, allowSingle, delta });
  }
  printFields(done, output);
}

/** A key that was changed, or has signed what its home does not know of, signs nothing. */
async function guardKey({ home, validatorKey, signFloor }: InitFlags): Promise<void> {
  if (validatorKey === undefined && signFloor === undefined) return;
  const { keepSignFloor, refuseOtherKey } = await import('../../config/index.ts');
  if (validatorKey !== undefined) await refuseOtherKey(home, validatorKey);
  if (signFloor !== undefined) await keepSignFloor(home, signFloor);
}

async function make(moniker: string, flags: InitFlags): Promise<Record<string, unknown>> {
  const { home, mode, engine, overwrite, chainId, evmChainId, nodeKey, validatorKey } = flags;
  const { refuseDuringMigration } = await import('../../migrate/index.ts');
  await refuseDuringMigration(home);
  const { initialiseHome } = await import('../../config/index.ts');
  const genesis = await fetchGenesis(flags);
  try {
    const given = {
      ...(genesis && { genesis: genesis.path }),
      ...(nodeKey !== undefined && { nodeKey }),
      ...(validatorKey !== undefined && { validatorKey }),
    };
    const wanted = {
      home,
      mode,
      engine,
      overwrite,
      chainId,
      ...(evmChainId !== undefined && { evmChainId }),
    };
    const made = await initialiseHome({ moniker, ...wanted, given });
    return {
      home,
      chainId: made.chainId,
      evmChainId: made.evmChainId,
      mode,
      engine,
      nodeId: made.nodeId,
      ...(made.kept.length > 0 && { kept: made.kept }),
    };
  } finally {
    await genesis?.remove();
  }
}
