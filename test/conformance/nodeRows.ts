import type { Rows } from './serviceRow.ts';

/** Rows of layers, settings, start, operation and limits. */
export const NODE_ROWS: Rows = {
  'What the service does': {
    '1.': {
      clients: [
        'ethers deploys and uses an ERC-20, an ERC-721 and an upgradeable proxy',
        'viem deploys and uses an ERC-20, and reads events, old blocks and reverts',
        'cast reads balances, sends transactions and calls contracts',
      ],
      methods: ['answers good calls as its schema says'],
    },
    '2.': {
      legacy: [
        'resolve addresses and carry the deprecation header',
        'give the ledger transaction of an EVM transaction',
      ],
    },
    '3.': {
      standardMethods: ['eth_getBlockByNumber gives a block by TAG_B, with hashes or whole transactions'],
      objects: ['are the newest at %s'],
    },
    '4.': { openState: ['opens FlatKV unless it is switched off'] },
    'SC (state commit, source of the app hash)': {
      golden: ['gives the store hashes, the app hashes and every byte of the snapshot'],
      flatKv: ['holds the state after a random history, and the hash that its rows have'],
    },
    'SS (state store, historical queries)': {
      stateStore: ['answers as a model does, whatever was written and however often it was reopened'],
    },
    '5.': {
      clients: ['gives the same answers after a restart'],
      differential: ['calls give the same as in anvil, traces too'],
    },
    '6.': { storeStartup: ['and a planted one is never found'] },
    '7.': { stateStore: ['refuses iteration over a store that is split off'] },
    '8.': { proofs: ['proves only versions that are held, and names the first'] },
    '9.': { refusals: ['the split on a node of mode %s is refused, but not in a development home'] },
    '10.': { untestable: 'a list of benefits' },
  },
  'Node configuration (app.toml)': {
    '`sc-enable`': { refusals: ['[%s] %s is refused in one line by validate and by start'] },
    '`ss-enable`': { refusals: ['[%s] %s is refused in one line by validate and by start'] },
    '`ss-backend`': {
      refusals: ['[%s] %s is refused in one line by validate and by start'],
      config: ['may be empty: absent keys keep their defaults'],
    },
    '`evm-ss-split`': {
      config: ['may be empty: absent keys keep their defaults'],
      startup: ['misses EVM state while it is off, and catches up from the complete changelog'],
    },
    '`enabled_legacy_chain_apis`': {
      config: ['warns of unknown legacy methods and goes on; an empty list blocks all'],
      home: ['makes a home that loads, with a genesis that both parsers accept'],
    },
  },
  'Data directories': {
    'Base SS with `pebbledb`': {
      startup: ['is refused where the EVM SS directory is missing, and none is left behind'],
    },
    'EVM SS': { startup: ['is refused where the directory is empty', 'are all three with the split'] },
    'SC data (memiavl + FlatKV)': {
      openState: ['leaves no directory when FlatKV is off'],
      stateCommit: ['starts empty, and replays the log to the same hashes'],
    },
  },
  'States and transitions': {
    '`evm-ss-split = false` | full state sync with the setting changed to `true`': {
      networkSplit: ['brings a node into the split layout by state sync, past a peer that lies'],
      snapshotPeers: [
        'is restored into the split layout chunk by chunk, with the app hash of the light client',
      ],
      preflight: ['refuses, in check "%s", %s'],
    },
    '`evm-ss-split = false` | restart with the setting changed to `true` and no state sync': {
      startup: [
        'is refused where the EVM SS directory is missing, and none is left behind',
        'is refused where the directory is empty',
        'is refused where the earliest versions differ',
      ],
    },
    '`evm-ss-split = true` | setting changed to `false` and restart': {
      startup: ['misses EVM state while it is off, and catches up from the complete changelog'],
      storeStartup: ['misses, while it is off, what was written before, and says so'],
    },
    '1.': {
      evmSplit: ['refuse to work on a home that somebody has open, or out of order'],
      networkSplit: ['migrates its RPC node, killed at random moments, with the keys intact'],
    },
    '2.': {
      evmSplit: [
        'delete nothing without a backup that is whole',
        'takes the directories that the settings name, and removes links without following them',
      ],
    },
    '3.': {
      evmSplit: [
        'turn a home into one that state syncs into the split layout, and keep what makes it itself',
      ],
    },
    '4.': {
      preflight: ['takes a trusted height that every server of a young chain has'],
      evmSplit: [
        'turn a home into one that state syncs into the split layout, and keep what makes it itself',
      ],
    },
    '5.': {
      evmSplit: ['never set the last-sign state back'],
      networkSplit: ['migrates its RPC node, killed at random moments, with the keys intact'],
    },
    'none | `eth_newFilter` or `eth_newBlockFilter`': {
      filters: ['have random ids and can be removed once'],
    },
    'installed | `eth_getFilterChanges`': {
      filters: ['give what came since the last poll, across several blocks'],
    },
    'installed | `eth_getFilterLogs`': {
      filters: ['give all logs with getFilterLogs, which leaves the polls alone'],
    },
    'installed | `eth_uninstallFilter`': { filters: ['have random ids and can be removed once'] },
  },
  'Operator listeners': {
    '26656/tcp': {
      validators: ['make blocks with three of four connected', 'recover by block sync'],
      networkSplit: ['brings a node into the split layout by state sync, past a peer that lies'],
    },
    '26657/tcp': {
      consensusRpc: ['has the same members in the same encodings', 'is followed by the light client over'],
      cosmjsClients: ['finds CometBFT v0.38 over HTTP, and reads all that its client can ask'],
    },
    '9090/tcp': {
      queryServices: [
        'lists the services, and each answers that it serves',
        'answers as REST does, at the same height',
      ],
    },
    '1317': {
      queryServices: [
        'lists validators by pages',
        'pages through the accounts by key and by offset, both ways, to the same list',
      ],
    },
    '8545': {
      cli: ['makes a home, refuses to make it twice, and shows and checks its configuration'],
      openRpcServer: ['answers as application/json with a newline, also for a charset and other JSON types'],
    },
    'path `/metrics`': {
      running: ['answers probes and metrics on the admin port'],
      httpServer: ['prints metrics and answers probes by 200 or 503 with the reason'],
    },
  },
  Events: {
    '1.': {
      filters: [
        'give what came since the last poll, across several blocks',
        'give all logs with getFilterLogs, which leaves the polls alone',
      ],
    },
    '2.': { legacyLists: ['include synthetic logs, which eth_ does not give'] },
    '3.': {
      startup: ['are all three with the split', 'are only the first without it'],
      storeStartup: ['logs the three lines that operators wait for, and only the first without it'],
    },
    '4.': { webSocketTransport: ['pushes each new head once, with the values of the block'] },
  },
  Errors: {
    '1.': { dispatcher: ['answers %s'], methods: ['refuses missing, surplus and unordered parameters'] },
    '2.': {
      legacy: ['that are not enabled answer the gate error, without the header, readable for a browser'],
    },
    '3.': {
      precompileCalls: ['reverts without data for an address that is not associated'],
      addressPrecompile: ['reverts without data and takes all gas when it has no answer'],
    },
    '4.': { startup: ['is refused where the databases are empty, although the changelog reaches back'] },
    'EVM SS directory': {
      startup: [
        'is refused where the EVM SS directory is missing, and none is left behind',
        'is refused where the directory is empty',
      ],
      storeStartup: ['is refused without an EVM directory and leaves none behind'],
    },
    'EVM SS empty': {
      startup: ['is refused where the databases are empty, although the changelog reaches back'],
      storeStartup: ['is refused when the EVM databases hold no marker, though the changelog reaches back'],
    },
    'Earliest versions': {
      startup: ['is refused where the earliest versions differ'],
      storeStartup: [
        'is refused when the stores begin at different versions, and reads nothing below the floor',
      ],
    },
    '5.': {
      startup: ['is refused where the EVM SS directory is missing, and none is left behind'],
      storeStartup: ['is refused with a stale EVM store beside an empty node'],
    },
    '6.': { untestable: 'names nothing' },
  },
  Limits: {
    '1.': { filters: ['cuts an open range to the first logs and says where it stopped', 'refuses %j'] },
    '2.': { untestable: 'names nothing' },
    '3.': { stateStore: ['refuses iteration over a store that is split off'] },
    '4.': { refusals: ['the split on a node of mode %s is refused, but not in a development home'] },
    '5.': { untestable: 'advice on disks' },
    '6.': { limiter: ['lets 20 calls through at once and refuses the 21st, with when to come back'] },
    '7.': { untestable: 'names nothing' },
  },
  Versioning: {
    '1.': {
      refusals: ['[%s] %s is refused in one line by validate and by start'],
      cli: ['explains itself, tells its version, and guesses what a wrong word meant'],
    },
    '2.': {
      dispatcher: ['refuses %s as invalid request', 'answers jsonrpc, id, then result, and one newline'],
    },
    '3.': { legacy: ['resolve addresses and carry the deprecation header'] },
    '4.': {
      snapshotStream: ['is the golden one, from the golden state'],
      snapshot: ['goes from one store into the split layout and back, with equal app hashes and values'],
    },
    '5.': { untestable: 'names nothing' },
  },
  'Snapshot node kinds': {
    'legacy evm_flatkv nodes': {
      snapshotRestore: ['is restored %s: every row in its store, none in another'],
    },
    'nodes go to their store': {
      snapshotRestore: ['is restored %s: every row in its store, none in another'],
      snapshot: ['goes from one store into the split layout and back, with equal app hashes and values'],
    },
    'unchanged format': { snapshotStream: ['is the golden one, from the golden state'] },
  },
};
