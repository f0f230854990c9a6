/** Test files that prove rows, by the names that the rows use. */
export const FILES = {
  clients: 'test/scenario/clients.long.test.ts',
  consensusRpc: 'test/scenario/consensusRpc.test.ts',
  limiter: 'sidecars/rateLimiter/src/proxy/limit.test.ts',
  cosmjsClients: 'test/scenario/cosmjsClients.long.test.ts',
  methods: 'test/conformance/methods.test.ts',
  legacy: 'node/src/rpc/legacy/legacy.test.ts',
  legacyLists: 'node/src/rpc/legacy/legacyLists.test.ts',
  standardMethods: 'test/conformance/standardMethods.test.ts',
  objects: 'node/src/rpc/format/objects.test.ts',
  openState: 'node/src/app/openState.test.ts',
  golden: 'node/src/state/commit/golden.test.ts',
  flatKv: 'node/src/state/flatKv/flatKv.test.ts',
  stateStore: 'node/src/state/store/stateStore.test.ts',
  differential: 'test/scenario/differential.test.ts',
  storeStartup: 'node/src/state/store/startup.test.ts',
  refusals: 'test/scenario/refusals.test.ts',
  config: 'node/src/config/config.test.ts',
  startup: 'test/scenario/startup.test.ts',
  home: 'node/src/config/home/home.test.ts',
  stateCommit: 'node/src/state/commit/stateCommit.test.ts',
  dispatcher: 'node/src/rpc/dispatch/dispatcher.test.ts',
  codecs: 'node/src/rpc/codec/codecs.test.ts',
  filters: 'node/src/rpc/filters/filters.test.ts',
  fees: 'node/src/rpc/fees/fees.test.ts',
  cli: 'node/src/cli/cli.test.ts',
  openRpcServer: 'node/src/rpc/openRpcServer.test.ts',
  running: 'test/scenario/running.test.ts',
  httpServer: 'platform/src/servers/httpServer.test.ts',
  webSocketTransport: 'node/src/rpc/transport/webSocketTransport.test.ts',
  proofs: 'test/conformance/proofs.test.ts',
  precompileCalls: 'test/conformance/addressPrecompile.test.ts',
  addressPrecompile: 'node/src/evm/precompile/addressPrecompile.test.ts',
  traces: 'test/conformance/traces.test.ts',
  trace: 'node/src/rpc/debug/trace.test.ts',
  snapshotRestore: 'node/src/state/snapshot/restore/restore.test.ts',
  snapshotStream: 'node/src/state/snapshot/stream/stream.test.ts',
  queryServices: 'test/scenario/queryServices.test.ts',
  snapshot: 'test/scenario/snapshot.test.ts',
  validators: 'test/network/validators.test.ts',
  snapshotPeers: 'test/scenario/snapshotPeers.test.ts',
  evmSplit: 'node/src/app/migration/evmSplit.test.ts',
  preflight: 'node/src/app/migration/preflight.test.ts',
  networkSplit: 'test/network/evmSplit.test.ts',
} as const;

/** Tests that prove a row, by file: each is a title, or the part of one that names no parameter. */
export type Proof = Readonly<Partial<Record<keyof typeof FILES, readonly string[]>>>;
/** Or why there is none: what it waits for, or why it says nothing that a test could show. */
export type Row = Proof | { readonly open: string } | { readonly untestable: string };

/**
 * Rows by section. A row of a table is known by its first cell (a setting by its key, a transition by its first two
 * cells), a rule by its number; what has neither is named.
 */
export type Rows = Readonly<Record<string, Readonly<Record<string, Row>>>>;
