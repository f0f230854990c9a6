import { type Command, Option } from 'commander';
import { addSetOption, homeOption, parsePort } from '../options.ts';
import { printWarnings } from '../print.ts';

interface StartFlags {
  readonly home: string;
  readonly set: Readonly<Record<string, string>>;
}

/** Flags for common keys of app.toml; each is short for `--set <setting>=<value>`. */
const SHORTCUTS: readonly {
  flag: string;
  about: string;
  setting: string;
  parse?: (text: string) => unknown;
}[] = [
  { flag: '--ss-backend <name>', about: 'pebbledb or rocksdb', setting: 'state-store.ss-backend' },
  { flag: '--evm <engine>', about: 'wasm or reference', setting: 'evm.engine' },
  { flag: '--http-port <port>', about: 'port of JSON-RPC', setting: 'evm.http_port', parse: parsePort },
  {
    flag: '--ws-port <port>',
    about: 'port of JSON-RPC over WebSocket',
    setting: 'evm.ws_port',
    parse: parsePort,
  },
  { flag: '--address <address>', about: 'address JSON-RPC listens on', setting: 'evm.address' },
  {
    flag: '--admin-port <port>',
    about: 'port of metrics and health',
    setting: 'admin.port',
    parse: parsePort,
  },
  {
    flag: '--rpc-laddr <address>',
    about: 'address of the consensus RPC, as tcp://127.0.0.1:26657',
    setting: 'rpc.laddr',
  },
  { flag: '--grpc-address <host:port>', about: 'where gRPC listens', setting: 'grpc.address' },
  { flag: '--rest-address <host:port>', about: 'where REST listens', setting: 'api.address' },
  { flag: '--engine <engine>', about: 'what decides blocks: embedded or cometbft', setting: 'node.engine' },
  { flag: '--cometbft <path>', about: 'the cometbft program, 0.38.x', setting: 'node.cometbft' },
  {
    flag: '--abci-listen <address>',
    about: 'where a CometBFT that runs by itself connects, as tcp://127.0.0.1:26658',
    setting: 'node.abci-listen',
  },
  {
    flag: '--cometbft-rpc <address>',
    about: 'where the RPC of that CometBFT is',
    setting: 'node.cometbft-rpc',
  },
  { flag: '--log-level <level>', about: 'least severe records logged', setting: 'node.log-level' },
  { flag: '--log-format <format>', about: 'json, pretty or auto', setting: 'node.log-format' },
];

const EXAMPLES = `
Examples:
  chaind start
  chaind start --home /var/lib/chain --log-format pretty
  chaind start --evm-ss-split true --set state-store.ss-keep-recent=0`;

export function addStartCommand(program: Command): void {
  const command = program
    .command('start')
    .description('run the node until it is told to stop (SIGINT, SIGTERM)')
    .addOption(homeOption())
    .addOption(
      new Option(
        '--evm-ss-split <switch>',
        'EVM state in a store of its own; a change needs a state sync',
      ).choices(['true', 'false']),
    );
  for (const { flag, about, parse } of SHORTCUTS) {
    const option = new Option(flag, about);
    command.addOption(parse ? option.argParser(parse) : option);
  }
  addSetOption(command).addHelpText('after', EXAMPLES).action(start);
}

async function start(flags: StartFlags, command: Command): Promise<void> {
  const { refuseDuringMigration } = await import('../../migrate/index.ts');
  // First of all: behind a wipe there may be no settings, and those that are there are the migration's.
  await refuseDuringMigration(flags.home);
  const { rewriteCometConfig } = await import('../../config/index.ts');
  printWarnings(await rewriteCometConfig(flags.home));
  const { startNode } = await import('../../app/index.ts');
  await startNode({ home: flags.home, flags: settingsOf(flags, command), environment: process.env });
}

/** `--set` wins over a shortcut, for it is the more explicit. */
function settingsOf(flags: StartFlags, command: Command): Record<string, string> {
  const settings: Record<string, string> = {};
  const names = [{ flag: '--evm-ss-split', setting: 'state-store.evm-ss-split' }, ...SHORTCUTS];
  for (const { flag, setting } of names) {
    const value = command.getOptionValue(new Option(flag).attributeName()) as unknown;
    if (value !== undefined) settings[setting] = String(value);
  }
  return { ...settings, ...flags.set };
}
