/** What this node decides of CometBFT's configuration, over what config.toml says. */
export interface CometLaunch {
  readonly home: string;
  /** Where the application listens, and where CometBFT's own RPC shall. */
  readonly abciAddress: string;
  readonly rpcAddress: string;
  readonly unsafe: boolean;
  /** The pool's limits: CometBFT's are never below them, or it would drop what the pool holds. */
  readonly mempool: {
    readonly transactions: number;
    readonly bytes: number;
    readonly transactionBytes: number;
    readonly cache: number;
  };
  /** `psql` is CometBFT's own matter; transactions are found in this node's index otherwise. */
  readonly indexer: string;
}

/** Room for the base64 of the largest transaction and what surrounds it, for a whole batch. */
const RPC_BODY_BYTES = 256 * 1024 * 1024;
const RPC_CONNECTIONS = 64;
const RPC_BATCH = 1000;

export function launchArguments({ home, abciAddress, rpcAddress, unsafe }: CometLaunch): string[] {
  return [
    'start',
    '--home',
    home,
    '--proxy_app',
    abciAddress,
    '--abci',
    'socket',
    '--rpc.laddr',
    rpcAddress,
    ...(unsafe ? ['--rpc.unsafe'] : []),
  ];
}

/** Keys that CometBFT has no flag for go by its environment. */
export function launchEnvironment({ mempool, indexer }: CometLaunch): Record<string, string> {
  return {
    CMT_LOG_FORMAT: 'json',
    CMT_TX_INDEX_INDEXER: indexer,
    CMT_RPC_MAX_BODY_BYTES: String(RPC_BODY_BYTES),
    CMT_RPC_MAX_OPEN_CONNECTIONS: String(RPC_CONNECTIONS),
    CMT_RPC_MAX_REQUEST_BATCH_SIZE: String(RPC_BATCH),
    CMT_MEMPOOL_SIZE: String(mempool.transactions),
    CMT_MEMPOOL_MAX_TXS_BYTES: String(mempool.bytes),
    CMT_MEMPOOL_MAX_TX_BYTES: String(mempool.transactionBytes),
    CMT_MEMPOOL_CACHE_SIZE: String(mempool.cache),
  };
}
