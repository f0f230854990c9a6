import {
  choice,
  dataKey,
  flag,
  group,
  list,
  objectName,
  oneOf,
  someSpan,
  text,
  verbatim,
  whole,
} from '../fieldKinds.ts';

const SHA256 = { max: 64, min: 64, pattern: '^[0-9a-f]{64}$' } as const;
/** id@host:port. */
export const PEER_PATTERN = '^[0-9a-f]{40}@(\\[[0-9a-fA-F:.]+\\]|[^:@,\\s]+):[0-9]{1,5}$';
const PEER = { max: 300, pattern: PEER_PATTERN } as const;
const HTTP_URLS =
  "self.all(u, isURL(u) && url(u).getScheme() in ['http', 'https'] && url(u).getHostname() != '')";

const keyRef = (about: string, key: string) =>
  group(about, {
    name: objectName('Its name.').required(),
    key: dataKey('The key within it.').default(key),
  });

const genesis = oneOf('Where the genesis file comes from. Left out, the node makes one of its own.', {
  embedded: group('The node makes one: a development chain of its own.', {}),
  url: group('It is fetched.', {
    url: text('http or https.', { max: 2048 })
      .rule(
        "isURL(self) && url(self).getScheme() in ['http', 'https'] && url(self).getHostname() != ''",
        'is no http or https URL',
      )
      .required(),
    sha256: text('Digest of the file, 64 hexadecimal digits.', SHA256).required(),
  }),
  configMapRef: keyRef('It is in a ConfigMap.', 'genesis.json'),
  secretRef: keyRef('It is in a Secret.', 'genesis.json'),
});

/** Which chain, without what differs from node to node. */
export const CHAIN_FIELDS = {
  id: text('Id of the chain.', { max: 50, min: 1, pattern: '^[a-z0-9]([-a-z0-9_]*[a-z0-9])?$' })
    .required()
    .immutable('chain.id'),
  evmChainId: whole('Chain id of the EVM, for a genesis that the node makes.', { min: 1 }),
  engine: choice('What decides blocks.', ['cometbft', 'embedded'])
    .default('cometbft')
    .immutable('chain.engine'),
  genesis,
  binary: text('The program of the image.', { max: 253, min: 1 }).default('chaind'),
  home: text('Home of the node within the container.', { max: 253, min: 2, pattern: '^/[^\\s:]+$' })
    .default('/var/lib/chain')
    .immutable('chain.home'),
} as const;

export const MONIKER = text('Name that peers see; the name of the ChainNode by default.', {
  max: 70,
  min: 1,
});

export const CONFIG = group(
  'Configuration beyond the fields of this spec. Keys that the operator sets are refused.',
  {
    app: verbatim('Keys of app.toml, nested as in the file.'),
    comet: verbatim('Keys of config.toml, nested as in the file.'),
    appToml: text('TOML that is merged into app.toml last.', { max: 65_536 }),
    cometToml: text('TOML that is merged into config.toml last.', { max: 65_536 }),
    restartPolicy: choice('Whether a change restarts the node, or waits for its next restart.', [
      'OnChange',
      'Manual',
    ]).default('OnChange'),
    upgradePolicy: choice(
      'When a pod takes what a new operator renders otherwise: at its next restart, or now; in a fleet, one by one.',
      ['NextRestart', 'Roll'],
    ).default('NextRestart'),
  },
).default({});

const insideHome = (about: string) =>
  text(about, { max: 253, min: 1 }).rule(
    "!self.startsWith('/') && !self.contains('..')",
    'must lie within chain.home: write it relative, without ..',
  );

export const STATE_STORE = group('Backend and layout of the state store. A change is a migration.', {
  backend: choice('Database of the state store.', ['pebbledb', 'rocksdb']).default('pebbledb'),
  evmSplit: flag('EVM state has a database of its own. Only for role rpc.').default(false),
  directory: insideHome('Directory of the state store, relative to the home.'),
  evmDirectory: insideHome('Directory of the EVM state store, relative to the home.'),
}).default({});

const trust = group('Servers that the state sync trusts, and how a trust point is found.', {
  rpcServers: list('Consensus RPCs, http or https, of different operators.', text('', { max: 300, min: 8 }), {
    max: 8,
    min: 1,
    by: 'set',
  })
    .rule(HTTP_URLS, 'every server is a URL with scheme and host: write http://host:26657, not host:26657')
    .required(),
  heightDelta: whole('Blocks that the trust point lies below the newest.', { min: 1 }).default(10_000),
  roundTo: whole('Rounds the trust height down to a multiple; 0 does not.').default(0),
  period: someSpan('Time for which a trusted header is believed.').default('168h'),
  minAgreeing: whole('Servers that must tell the same hash.', { min: 1, max: 8 }).default(2),
  maxServerLag: someSpan("Age of a server's newest block above which it is not asked.").default('60s'),
}).rule(
  'size(self.rpcServers) >= self.minAgreeing',
  'has fewer rpcServers than minAgreeing; name another, or lower minAgreeing',
);

export const STATE_SYNC = group('State sync: on an empty volume, and in migrations.', {
  onInit: flag('An empty volume begins by state sync instead of at the genesis.').default(false),
  requestId: text('Each new value is one more state sync into the same layout.', { max: 63, min: 1 }),
  trust,
  assumeSnapshots: flag(
    'Peers have snapshots although no server of trust.rpcServers says that it has one: a migration begins all the same.',
  ).default(false),
  tempDir: insideHome(
    'Where chunks are staged, relative to the home, so that they lie on the volume.',
  ).default('tmp'),
}).default({});

export const PEERS = group('Whom the node connects to.', {
  static: list('Peers that are always kept: id@host:port.', text('', PEER), { max: 128, by: 'set' }).default(
    [],
  ),
  seeds: list('Asked for peers at the start: id@host:port.', text('', PEER), { by: 'set' }).default([]),
  configMapRef: keyRef(
    'More of them, separated by commas, in a ConfigMap of the namespace: for a network that is made anew with other ids.',
    'peers',
  ),
  selector: verbatim('Label selector of other ChainNodes of the namespace that are peers.'),
  externalAddress: text('host:port that peers are told to reach this node at.', { max: 300, min: 3 }),
}).default({});

export const NODE_KEY = oneOf("Key of the node's identity towards its peers.", {
  secretRef: keyRef('It is in a Secret.', 'node_key.json'),
  generate: flag('The operator makes one, once, and keeps it in a Secret.'),
}).default({ generate: true });

export const VALIDATOR_KEY = group('Key that blocks are signed with. Only for role validator.', {
  secretRef: keyRef('It is in a Secret.', 'priv_validator_key.json').required(),
});
