import { join } from 'node:path';
import { CodedError } from '@chain/platform';
import { cometEnvironment, type NodeConfig } from '../config/index.ts';
import { type CometLinkOptions, findCometbft } from '../consensus/index.ts';
import { socketDirectory } from './socketDirectory.ts';

/** Where both sides listen, and how CometBFT is run if this node runs it. */
export async function cometConnection(
  config: NodeConfig,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<CometLinkOptions> {
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
    // Whoever sets CometBFT's own variables means them.
    program: {
      path,
      launch: launchOf(config),
      environment: { ...cometEnvironment(config.comet), ...environment },
    },
  };
}

function launchOf({ home, app, comet }: NodeConfig) {
  const ours = app.mempool;
  const transactions = ours['max-txs'] + ours['max-queued-txs'];
  const theirs = comet.mempool;
  return {
    home,
    unsafe: comet.rpc.unsafe,
    indexer: comet.tx_index.indexer === 'psql' ? 'psql' : 'null',
    mempool: {
      // What gave way here stays there until the next block.
      transactions: Math.max(2 * transactions, theirs.size),
      bytes: Math.max(ours['max-txs-bytes'] + ours['max-queued-bytes'], theirs.max_txs_bytes),
      transactionBytes: Math.max(ours['max-tx-bytes'], theirs.max_tx_bytes),
      cache: Math.max(4 * transactions, theirs.cache_size),
    },
  };
}

function noRpcAddress(abciAddress: string): CodedError {
  return new CodedError(
    'APP_COMETBFT_RPC',
    `a CometBFT that connects to ${abciAddress} by itself needs its RPC named: set [node] cometbft-rpc or --cometbft-rpc, such as http://127.0.0.1:26667 (its own [rpc] laddr)`,
    { fields: { abciAddress } },
  );
}
