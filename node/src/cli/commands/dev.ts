import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { addSetOption, parseChainNumber, parseCount, parsePort } from '../options.ts';

interface DevFlags {
  readonly home: string;
  readonly fresh: boolean;
  readonly blockTime: number;
  readonly split: boolean;
  readonly chainId: bigint;
  readonly port?: number;
  readonly wsPort?: number;
  readonly consensusPort?: number;
  readonly adminPort?: number;
  readonly grpcAddress?: string;
  readonly restAddress?: string;
  readonly evm?: string;
  readonly accounts: number;
  readonly set: Readonly<Record<string, string>>;
}

const EXAMPLES = `
The accounts come from the phrase "test test test test test test test test test test test junk": every
development node has them and their keys are known to the world. Never send them anything of value.

Examples:
  chaind dev                         go on where it stopped
  chaind dev --fresh --split         start over, with EVM state in its own store
  chaind dev --block-time 1000       a block every second, also an empty one`;

export function addDevCommand(program: Command): void {
  const command = program
    .command('dev')
    .description('run a development chain with funded accounts; creates its home if there is none')
    .addOption(
      new Option('--home <directory>', 'home of the chain')
        .default(resolve('.chain'), './.chain')
        .argParser((path: string) => resolve(path)),
    )
    .option('--fresh', 'delete the development home first', false)
    .option('--block-time <ms>', 'time between blocks; 0 makes one for each transaction', parseCount, 400)
    .option('--split', 'keep EVM history in a separate store', false)
    .addOption(
      new Option('--chain-id <number>', 'EVM chain id of a new home')
        .default(713_714n, '713714')
        .argParser(parseChainNumber),
    )
    .option('--port <port>', 'port of JSON-RPC (8545)', parsePort)
    .option('--ws-port <port>', 'port of JSON-RPC over WebSocket (8546)', parsePort)
    .option('--consensus-port <port>', 'port of the consensus RPC (26657)', parsePort)
    .option('--admin-port <port>', 'port of metrics and health (26661)', parsePort)
    .option('--grpc-address <host:port>', 'listen address of gRPC (127.0.0.1:9090)')
    .option('--rest-address <host:port>', 'listen address of REST (127.0.0.1:1317)')
    .addOption(new Option('--evm <engine>', 'what runs EVM code').choices(['wasm', 'reference']))
    .option('--accounts <n>', 'funded accounts of a new home', parseCount, 10);
  addSetOption(command).addHelpText('after', EXAMPLES).action(runDevelopment);
}

async function runDevelopment(flags: DevFlags): Promise<void> {
  const { startDevelopmentNode } = await import('../../app/index.ts');
  const { home, fresh, blockTime, accounts, chainId } = flags;
  await startDevelopmentNode({
    home,
    fresh,
    blockTimeMs: blockTime,
    accounts,
    evmChainId: chainId,
    flags: settingsOf(flags),
    environment: process.env,
  });
}

function settingsOf(flags: DevFlags): Record<string, string> {
  const { split, port, wsPort, consensusPort, adminPort, grpcAddress, restAddress, evm, set } = flags;
  return {
    ...(split ? { 'state-store.evm-ss-split': 'true' } : {}),
    ...(port === undefined ? {} : { 'evm.http_port': String(port) }),
    ...(wsPort === undefined ? {} : { 'evm.ws_port': String(wsPort) }),
    ...(consensusPort === undefined ? {} : { 'rpc.laddr': `tcp://127.0.0.1:${consensusPort}` }),
    ...(adminPort === undefined ? {} : { 'admin.port': String(adminPort) }),
    ...(grpcAddress === undefined ? {} : { 'grpc.address': grpcAddress }),
    ...(restAddress === undefined ? {} : { 'api.address': restAddress }),
    ...(evm === undefined ? {} : { 'evm.engine': evm }),
    'node.log-format': 'pretty',
    ...set,
  };
}
