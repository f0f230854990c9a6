import { CONFIG_FILES, PORTS } from '@chain/platform/contract';
import {
  boolean,
  choice,
  duration,
  integer,
  pattern,
  text,
  textList,
  type ValuesOf,
} from '@chain/platform/settings';

/** Its start, its syncs and every error: what an operator acts on, and nothing for each block. */
const QUIET_COMET_LOG = 'main:info,statesync:info,blocksync:info,*:error';

/** CometBFT would take them for its private RPC, which this node reads. */
const IN_APP_TOML = { pattern: /^$/, wanted: '"", and the file in [consensus-rpc] of app.toml' };

/**
 * Every key of CometBFT v0.38's config.toml, in file order. Defaults are CometBFT's, but for the addresses and the
 * log's level.
 */
export const COMET_TABLE = {
  base: {
    version: text('0.38.17', 'Release of CometBFT that the file is made for'),
    proxy_app: text('tcp://127.0.0.1:26658', 'Address where CometBFT finds the application'),
    moniker: text('node', 'Name of this node, for people'),
    db_backend: text('goleveldb', "Database of CometBFT's own data"),
    db_dir: text('data', "Directory of CometBFT's own data"),
    log_level: text(
      QUIET_COMET_LOG,
      'What CometBFT logs: a level, or `module:level` by commas, `*` for the rest. `info` adds several records a block',
    ),
    log_format: text('plain', '`plain` or `json`'),
    genesis_file: text(CONFIG_FILES.genesis, 'Genesis document'),
    priv_validator_key_file: text(CONFIG_FILES.validatorKey, 'Key that signs consensus messages'),
    priv_validator_state_file: text(CONFIG_FILES.validatorState, 'What that key signed last'),
    priv_validator_laddr: text('', 'Address for a signer outside this process'),
    node_key_file: text(CONFIG_FILES.nodeKey, 'Key that peers know this node by'),
    abci: choice(['socket', 'grpc'], 'socket', 'How CometBFT talks to the application'),
    filter_peers: boolean(false, 'Ask the application before a peer is accepted'),
  },
  rpc: {
    laddr: text(`tcp://127.0.0.1:${PORTS.consensusRpc}`, 'Address of the consensus RPC'),
    cors_allowed_origins: textList([], 'Origins whose pages may call it'),
    cors_allowed_methods: textList(['HEAD', 'GET', 'POST'], 'Methods such pages may use'),
    cors_allowed_headers: textList(
      ['Origin', 'Accept', 'Content-Type', 'X-Requested-With', 'X-Server-Time'],
      'Headers such pages may send',
    ),
    grpc_laddr: text('', "Address of CometBFT's gRPC; empty = off"),
    grpc_max_open_connections: integer(900, 'Connections of that gRPC'),
    unsafe: boolean(false, 'Serve commands that change the node'),
    max_open_connections: integer(900, 'Connections of the consensus RPC'),
    max_subscription_clients: integer(100, 'Clients that may subscribe'),
    max_subscriptions_per_client: integer(5, 'Subscriptions of each'),
    experimental_subscription_buffer_size: integer(200, 'Events held for a subscription', { min: 100 }),
    experimental_websocket_write_buffer_size: integer(200, 'Replies held for a WebSocket client', {
      min: 100,
    }),
    experimental_close_on_slow_client: boolean(false, 'Close a WebSocket whose client reads too slowly'),
    timeout_broadcast_tx_commit: duration(10_000, 'Wait of `broadcast_tx_commit` for the block'),
    max_request_batch_size: integer(10, 'Calls in one batch; 0 = no limit'),
    max_body_bytes: integer(1_000_000, 'Size of a request body', { unit: 'bytes' }),
    max_header_bytes: integer(1_048_576, 'Size of the request headers', { unit: 'bytes' }),
    tls_cert_file: pattern('', 'Not used: see `[consensus-rpc]` of app.toml', IN_APP_TOML),
    tls_key_file: pattern('', 'Not used: see `[consensus-rpc]` of app.toml', IN_APP_TOML),
    pprof_laddr: text('', "Address of CometBFT's profiler; empty = off"),
  },
  p2p: {
    laddr: text(`tcp://127.0.0.1:${PORTS.p2p}`, 'Address where peers connect'),
    external_address: text('', 'Address that peers are told; empty = found out'),
    seeds: text('', 'Comma-separated `id@host:port` of seed nodes'),
    persistent_peers: text('', 'Comma-separated `id@host:port` of peers to stay connected to'),
    addr_book_file: text('config/addrbook.json', 'Known addresses of peers'),
    addr_book_strict: boolean(true, 'Refuse addresses that are not routable on the internet'),
    max_num_inbound_peers: integer(40, 'Peers that may connect to this node'),
    max_num_outbound_peers: integer(10, 'Peers that this node connects to'),
    unconditional_peer_ids: text('', 'Ids of peers that no limit applies to'),
    persistent_peers_max_dial_period: duration(0, 'Longest pause before a persistent peer is dialled again'),
    flush_throttle_timeout: duration(100, 'Wait before written messages are flushed'),
    max_packet_msg_payload_size: integer(1024, 'Size of one packet', { unit: 'bytes' }),
    send_rate: integer(20_480_000, 'Sending speed', { unit: 'bytes/s' }),
    recv_rate: integer(20_480_000, 'Receiving speed', { unit: 'bytes/s' }),
    pex: boolean(true, 'Exchange addresses with peers'),
    seed_mode: boolean(false, 'Only collect and hand out addresses'),
    private_peer_ids: text('', 'Ids of peers that are told to nobody'),
    allow_duplicate_ip: boolean(false, 'Accept several peers from one address'),
    handshake_timeout: duration(20_000, 'Time for a handshake'),
    dial_timeout: duration(3000, 'Time for a connection'),
  },
  mempool: {
    type: choice(['flood', 'nop'], 'flood', 'Kind of mempool'),
    recheck: boolean(true, 'Check waiting transactions again after each block'),
    recheck_timeout: duration(1000, 'Time for that check'),
    broadcast: boolean(true, 'Pass transactions on to peers'),
    wal_dir: text('', 'Directory of a log of transactions; empty = none'),
    size: integer(5000, 'Transactions that may wait'),
    max_txs_bytes: integer(1_073_741_824, 'Size of all that wait', { unit: 'bytes' }),
    cache_size: integer(10_000, 'Transactions remembered as seen'),
    'keep-invalid-txs-in-cache': boolean(false, 'Remember invalid ones too'),
    max_tx_bytes: integer(1_048_576, 'Size of one transaction', { unit: 'bytes' }),
    max_batch_bytes: integer(0, 'Not used by CometBFT'),
    experimental_max_gossip_connections_to_persistent_peers: integer(
      0,
      'Persistent peers that get transactions; 0 = all',
    ),
    experimental_max_gossip_connections_to_non_persistent_peers: integer(
      0,
      'Other peers that get transactions; 0 = all',
    ),
  },
  statesync: {
    enable: boolean(false, 'Start from a snapshot of the state instead of from the first block'),
    rpc_servers: text('', 'Two or more comma-separated consensus RPCs that are trusted'),
    trust_height: integer(0, 'Height of a block that is trusted'),
    trust_hash: text('', 'Its hash, in hex'),
    trust_period: duration(604_800_000, 'How long validators are trusted: less than the unbonding time'),
    discovery_time: duration(15_000, 'Time to look for snapshots'),
    temp_dir: text('', 'Directory for chunks; empty = the system chooses'),
    chunk_request_timeout: duration(10_000, 'Time for a chunk before another peer is asked'),
    chunk_fetchers: text('4', 'Chunks fetched at once'),
    max_snapshot_chunks: integer(100_000, 'Chunks of a snapshot'),
  },
  blocksync: { version: choice(['v0'], 'v0', 'Version of the block sync') },
  consensus: {
    wal_file: text('data/cs.wal/wal', 'Log of consensus messages'),
    timeout_propose: duration(3000, 'Wait for a proposal'),
    timeout_propose_delta: duration(500, 'Added to it each round'),
    timeout_prevote: duration(1000, 'Wait for more prevotes'),
    timeout_prevote_delta: duration(500, 'Added to it each round'),
    timeout_precommit: duration(1000, 'Wait for more precommits'),
    timeout_precommit_delta: duration(500, 'Added to it each round'),
    timeout_commit: duration(1000, 'Wait after a block before the next'),
    double_sign_check_height: integer(0, 'Blocks to search for own votes before signing; 0 = none'),
    skip_timeout_commit: boolean(false, 'Do not wait once every precommit is there'),
    create_empty_blocks: boolean(true, 'Make blocks without transactions'),
    create_empty_blocks_interval: duration(0, 'Time between empty blocks; 0 = none of its own'),
    peer_gossip_sleep_duration: duration(100, 'Pause between messages to a peer'),
    peer_query_maj23_sleep_duration: duration(2000, 'Pause between questions for majorities'),
  },
  storage: { discard_abci_responses: boolean(false, 'Drop results, which `block_results` needs') },
  tx_index: {
    indexer: choice(['null', 'kv', 'psql'], 'kv', "CometBFT's own index of transactions"),
    'psql-conn': text('', 'Connection of the PostgreSQL indexer'),
  },
  instrumentation: {
    prometheus: boolean(false, "Serve CometBFT's metrics"),
    prometheus_listen_addr: text(':26660', 'Address of these metrics'),
    max_open_connections: integer(3, 'Connections for metrics'),
    namespace: text('cometbft', 'Prefix of their names'),
  },
} as const;

/** config.toml, by the names in the file. */
export type CometConfig = ValuesOf<typeof COMET_TABLE>;
