import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError } from '@chain/platform';
import type { NodeConfig } from '../config/index.ts';
import {
  type CometEngine,
  type CometEngineOptions,
  createCometEngine,
  findCometbft,
  NO_SNAPSHOTS,
} from '../consensus/index.ts';
import type { ConsensusDeps, ConsensusOptions } from './consensusParts.ts';
import { RELEASE } from './release.ts';

/** From which height on blocks lack what CometBFT's RPC tells. */
const GAP_FILE = 'data/gapped_blocks';
/** A socket's path has 108 bytes at most. */
const MAX_SOCKET_DIRECTORY = 80;

/** This node as CometBFT's application, with a CometBFT of its own unless one connects by itself. */
export async function openCometEngine(
  { config, genesis, environment = {} }: ConsensusOptions,
  deps: ConsensusDeps,
): Promise<CometEngine> {
  const { home, app } = config;
  const { doc } = genesis;
  const sync = app['state-sync'];
  return createCometEngine(
    {
      genesis: doc,
      maxGas: doc.consensusParams.block.maxGas,
      release: RELEASE,
      retention: {
        minRetainBlocks: app.base['min-retain-blocks'],
        evidenceBlocks: Number(doc.consensusParams.evidence.maxAgeNumBlocks),
        snapshotBlocks: sync['snapshot-interval'] * sync['snapshot-keep-recent'],
      },
      gapFile: join(home, GAP_FILE),
      ...(await connectionOf(config, environment)),
    },
    {
      ...deps,
      pool: deps.mempool,
      snapshots: NO_SNAPSHOTS,
      cometLogger: deps.logger.child({ room: 'cometbft' }),
    },
  );
}

/** Where both sides listen, and how CometBFT is run if this node runs it. */
async function connectionOf(
  config: NodeConfig,
  environment: NonNullable<ConsensusOptions['environment']>,
): Promise<Pick<CometEngineOptions, 'abciAddress' | 'rpcAddress' | 'program'>> {
  const { 'abci-listen': abciAddress, 'cometbft-rpc': rpcAddress, cometbft } = config.app.node;
  if (abciAddress !== '') {
    if (rpcAddress === '') throw noRpcAddress(abciAddress);
    return { abciAddress, rpcAddress };
  }
  const { path } = await findCometbft(cometbft, environment);
  const directory = await socketDirectory(config.home);
  return {
    abciAddress: `unix://${join(directory, 'abci.sock')}`,
    rpcAddress: `unix://${join(directory, 'cometbft.sock')}`,
    program: { path, launch: launchOf(config), environment },
  };
}

function launchOf({ home, app, comet }: NodeConfig) {
  const ours = app.mempool;
  const theirs = comet.mempool;
  return {
    home,
    unsafe: comet.rpc.unsafe,
    indexer: comet.tx_index.indexer === 'psql' ? 'psql' : 'null',
    mempool: {
      transactions: Math.max(ours['max-txs'], theirs.size),
      bytes: Math.max(ours['max-txs-bytes'], theirs.max_txs_bytes),
      transactionBytes: Math.max(ours['max-tx-bytes'], theirs.max_tx_bytes),
      cache: Math.max(2 * ours['max-txs'], theirs.cache_size),
    },
  };
}

/** `<home>/run`, or a directory of the system's where that is too long for a socket. */
async function socketDirectory(home: string): Promise<string> {
  const inHome = join(home, 'run');
  const name = createHash('sha256').update(home).digest('hex').slice(0, 16);
  const directory =
    Buffer.byteLength(inHome) <= MAX_SOCKET_DIRECTORY ? inHome : join(tmpdir(), `chaind-${name}`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return directory;
}

function noRpcAddress(abciAddress: string): CodedError {
  return new CodedError(
    'APP_COMETBFT_RPC',
    `a CometBFT that connects to ${abciAddress} by itself needs its RPC named: set [node] cometbft-rpc or --cometbft-rpc, such as http://127.0.0.1:26667 (its own [rpc] laddr)`,
    { fields: { abciAddress } },
  );
}
