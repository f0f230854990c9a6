const LEAVE_OUT = 'leave it out';
const LAYOUT = 'use spec.stateStore: a change of it is a migration';
const SYNC = 'use spec.stateSync';
const PEERS = 'use spec.peers';
const HOME = 'leave it out: files of the home lie where the migration looks for them';
const ASKED =
  'leave it out: the operator, the limiter and migrations ask this listener; put TLS and tokens into the Gateway or Ingress before the Service';

/** Keys of app.toml that the operator sets, or needs as they are; each with what to do instead. */
export const RESERVED_APP_KEYS: Readonly<Record<string, string>> = {
  'node.mode': 'use spec.role',
  'node.engine': 'use spec.chain.engine',
  'node.cometbft': LEAVE_OUT,
  'node.abci-listen': LEAVE_OUT,
  'node.cometbft-rpc': LEAVE_OUT,
  'state-commit.sc-enable': LEAVE_OUT,
  'state-commit.sc-directory': HOME,
  'state-store.ss-enable': LEAVE_OUT,
  'state-store.ss-backend': LAYOUT,
  'state-store.evm-ss-split': LAYOUT,
  'state-store.ss-db-directory': LAYOUT,
  'state-store.evm-ss-db-directory': LAYOUT,
  'state-sync.snapshot-directory': HOME,
  'evm.address': LEAVE_OUT,
  'evm.http_port': 'use spec.service.ports',
  'evm.ws_port': 'use spec.service.ports',
  'grpc.address': 'use spec.service.ports',
  'api.address': 'use spec.service.ports',
  'admin.*': 'use spec.probes',
  'evm.tls_cert_file': ASKED,
  'evm.tls_key_file': ASKED,
  'evm.jwt_secret_file': ASKED,
  'evm.api_keys_file': ASKED,
  'consensus-rpc.*': ASKED,
};

/** The same of config.toml. */
export const RESERVED_COMET_KEYS: Readonly<Record<string, string>> = {
  moniker: 'use spec.chain.moniker',
  proxy_app: LEAVE_OUT,
  abci: LEAVE_OUT,
  db_dir: HOME,
  genesis_file: 'use spec.chain.genesis',
  priv_validator_key_file: 'use spec.validatorKey',
  priv_validator_state_file: HOME,
  node_key_file: 'use spec.nodeKey',
  'rpc.laddr': 'use spec.service.ports and spec.proxy',
  'p2p.laddr': LEAVE_OUT,
  'p2p.external_address': 'use spec.peers.externalAddress',
  'p2p.seeds': PEERS,
  'p2p.persistent_peers': PEERS,
  'p2p.addr_book_file': HOME,
  'p2p.seed_mode': 'use spec.role',
  'consensus.wal_file': HOME,
  'statesync.*': SYNC,
};
