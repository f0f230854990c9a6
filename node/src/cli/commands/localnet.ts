import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { parseChainNumber, parseCount, parsePort } from '../options.ts';
import { statusTable } from './statusTable.ts';

interface LocalnetFlags {
  readonly directory: string;
  readonly validators: number;
  readonly rpc: number;
  readonly split: boolean;
  readonly fresh: boolean;
  readonly initOnly: boolean;
  readonly basePort: number;
  readonly blockTime: number;
  readonly snapshotInterval: number;
  readonly chainId: string;
  readonly evmChainId: bigint;
  readonly cometbft: string;
}

const EXAMPLES = `
Every node is an ordinary home: stop the network and run one with "chaind start --home localnet/rpc0". Each has
ten ports from --base-port on: p2p, consensus RPC, gRPC, REST, JSON-RPC, WebSocket, metrics. Validators serve the
consensus RPC and metrics alone. The ten funded accounts are those of "chaind dev"; their keys are known to the
world.

Examples:
  chaind localnet                                   four validators and an RPC node in ./localnet
  chaind localnet --fresh --validators 2 --rpc 2    a smaller one, from its first block
  chaind localnet --fresh --split                   RPC nodes with EVM state in a store of its own
  chaind localnet --init-only                       only make the homes`;

const REFRESH_MS = 1000;
const LINE_MS = 10_000;

export function addLocalnetCommand(program: Command): void {
  program
    .command('localnet')
    .description('run a network of validators and RPC nodes on this machine, on CometBFT')
    .addOption(
      new Option('--directory <directory>', 'where the homes and logs are')
        .default(resolve('localnet'), './localnet')
        .argParser((path: string) => resolve(path)),
    )
    .option('--validators <n>', 'validators of a new network', parseCount, 4)
    .option('--rpc <n>', 'RPC nodes of a new network', parseCount, 1)
    .option('--split', 'RPC nodes keep EVM history in a separate store', false)
    .option('--fresh', 'delete the network first', false)
    .option('--init-only', 'create the homes but start nothing', false)
    .option('--base-port <port>', 'first port of a new network', parsePort, 27_000)
    .option('--block-time <ms>', 'pause after each block of a new network', parseCount, 1000)
    .option(
      '--snapshot-interval <blocks>',
      'blocks between snapshots for state sync; 0 = none',
      parseCount,
      100,
    )
    .option('--chain-id <id>', 'id of a new chain', 'localnet-1')
    .addOption(
      new Option('--evm-chain-id <number>', 'EVM chain id of a new chain')
        .default(713_714n, '713714')
        .argParser(parseChainNumber),
    )
    .option('--cometbft <path>', 'path of cometbft 0.38.x; the first on PATH by default', '')
    .addHelpText('after', EXAMPLES)
    .action(runNetwork);
}

async function runNetwork(flags: LocalnetFlags): Promise<void> {
  const { makeLocalnet, runLocalnet, networkStatus, logFileOf } = await import('../../app/index.ts');
  const { rpc: rpcNodes, blockTime: blockTimeMs, cometbft, ...rest } = flags;
  const program = cometbft === '' ? '' : resolve(cometbft);
  const { nodes, isNew } = await makeLocalnet({ ...rest, rpcNodes, blockTimeMs, cometbft: program });
  const { directory } = flags;
  console.log(`${isNew ? 'Made' : 'Found'} a network of ${nodes.length} nodes in ${directory}`);
  if (flags.initOnly) return;
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  // Also a second time: what ended at once would leave the nodes alone.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tell());
  const running = await runLocalnet(nodes);
  console.log(`Logs: ${nodes.map(logFileOf).join(' ')}\nCtrl-C stops the network.`);
  const show = showStatus(() => networkStatus(nodes));
  try {
    await Promise.race([told, running.ended]);
  } finally {
    show.end();
    console.log('Stopping …');
    await running.stop();
  }
  console.log(`Stopped. "chaind localnet --directory ${directory}" goes on.`);
}

/** A table that renews itself on a terminal; now and then a table elsewhere. */
function showStatus(read: () => Promise<Parameters<typeof statusTable>[0]>): { end(): void } {
  const onTerminal = process.stdout.isTTY === true;
  let drawn = 0;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const draw = async (): Promise<void> => {
    const lines = statusTable(await read());
    if (ended) return;
    const up = onTerminal && drawn > 0 ? `\u001B[${drawn}A\u001B[J` : '';
    process.stdout.write(`${up}${lines.join('\n')}\n`);
    drawn = lines.length;
    timer = setTimeout(() => void draw(), onTerminal ? REFRESH_MS : LINE_MS);
  };
  void draw();
  return {
    end: () => {
      ended = true;
      clearTimeout(timer);
    },
  };
}
