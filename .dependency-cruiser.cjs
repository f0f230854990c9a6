// The building, ground floor first. A room sees only the floors below it; rooms on one floor are strangers.
const FLOORS = [
  ['primitives', 'types', 'state/schema'],
  ['db', 'state/view', 'state/changelog', 'comet', 'keys', 'threads', 'proto', 'signatures'],
  ['state/commit', 'state/flatKv', 'state/store'],
  ['state/snapshot', 'history'],
  ['ledger'],
  ['evm'],
  ['execution'],
  ['chain', 'eventQuery', 'mempool', 'tracing'],
  ['ledgerQuery'],
  ['consensus', 'rpc', 'cometRpc', 'grpc', 'rest', 'client', 'migrate', 'explorer'],
  ['config'],
  ['app'],
  ['cli'],
];
// Each library has one landlord: the only place that may import it.
const LANDLORDS = {
  'classic-level': '^node/src/db/',
  '@nxtedition/rocksdb': '^node/src/db/',
  '@iarna/toml': '^platform/src/settings/',
  '@ethereumjs/': '^node/src/evm/',
  // Key files and typed data; and the contract ABI in full, which blocks never need.
  ethers: '^node/src/(keys|explorer/abi)/',
  '@bufbuild/protobuf': '^node/src/proto/',
  '@grpc/': '^node/src/grpc/',
  'grpc-health-check': '^node/src/grpc/',
  commander: '^node/src/cli/',
  'quickjs-emscripten-core': '^node/src/tracing/',
  '@jitl/': '^node/src/tracing/',
  'big-integer': '^node/src/tracing/',
  pino: '^platform/src/',
  'prom-client': '^platform/src/',
  '@kubernetes/client-node': '^operator/src/kube/',
  yaml: '^operator/src/api/',
  ws: '^(platform/src/|sidecars/rateLimiter/src/proxy/)',
  undici: '^sidecars/rateLimiter/src/upstream/',
  fastify: '^(platform/src/|sidecars/[^/]+/src/)',
};
/** A building of its own, with the same rules. */
const LIMITER = 'sidecars/rateLimiter/src';
const LIMITER_FLOORS = [['client', 'limit', 'rules'], ['settings', 'upstream'], ['proxy'], ['app'], ['cli']];

const OPERATOR = 'operator/src';
const OPERATOR_FLOORS = [
  ['api', 'kube'],
  ['observe', 'resources'],
  ['plan'],
  ['task'],
  ['controller', 'statusPage'],
  ['settings'],
  ['app'],
  ['cli'],
];

/** Rooms within the EVM's engine. */
const EVM_WASM = 'node/src/evm/wasm';
const EVM_WASM_FLOORS = [
  ['memory'],
  ['translator'],
  ['code'],
  ['runtime'],
  ['tables'],
  ['frames'],
  ['calls'],
  ['steps'],
  ['run'],
];

const floorsOf = (root, name, all) => {
  const at = (rooms) => `^${root}/(${rooms.join('|')})/`;
  return all.flatMap((rooms, i) =>
    rooms.map((room) => ({
      name: `${name}${room}: look only down`,
      severity: 'error',
      from: { path: at([room]) },
      to: { path: at([...all.slice(i + 1).flat(), ...rooms.filter((other) => other !== room)]) },
    })),
  );
};
const floors = [
  ...floorsOf('node/src', '', FLOORS),
  ...floorsOf(OPERATOR, 'operator/', OPERATOR_FLOORS),
  ...floorsOf(EVM_WASM, 'evm/wasm/', EVM_WASM_FLOORS),
  ...floorsOf(LIMITER, 'limiter/', LIMITER_FLOORS),
];
const landlords = Object.entries(LANDLORDS).map(([pkg, home]) => ({
  name: `${pkg}: one landlord`,
  severity: 'error',
  from: { path: '^(platform|node|operator|sidecars)/', pathNot: [home, '\\.test\\.ts$'] },
  to: { path: `node_modules/${pkg}${pkg.endsWith('/') ? '' : '/'}` },
}));
module.exports = {
  forbidden: [
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...floors,
    ...landlords,
    {
      name: 'only app and cli read config',
      severity: 'error',
      from: { path: '^node/src/', pathNot: '^node/src/(app|cli|config)/' },
      to: { path: '^node/src/config/' },
    },
    {
      name: 'enter by the door',
      severity: 'error',
      from: { path: '^node/src/(state/[^/]+|(?!state/)[^/]+)/' },
      // Fixtures beside the rooms belong to all of them.
      to: {
        path: '^node/src/',
        pathNot: ['^node/src/$1/', '/index\\.ts$', '^node/src/[^/]+\\.fixture\\.ts$'],
      },
    },
    {
      name: 'enter by the door of the limiter',
      severity: 'error',
      from: { path: `^${LIMITER}/([^/]+)/` },
      to: { path: `^${LIMITER}/[^/]+/`, pathNot: [`^${LIMITER}/$1/`, '/index\\.ts$'] },
    },
    {
      name: 'enter by the door of the operator',
      severity: 'error',
      from: { path: `^${OPERATOR}/([^/]+)/` },
      to: { path: `^${OPERATOR}/[^/]+/`, pathNot: [`^${OPERATOR}/$1/`, '/index\\.ts$'] },
    },
    {
      name: 'enter by the door of evm/wasm',
      severity: 'error',
      from: { path: `^${EVM_WASM}/([^/]+)/`, pathNot: '\\.test\\.ts$' },
      // AssemblyScript reads the layout, too, and cannot come through a door of TypeScript.
      to: {
        path: `^${EVM_WASM}/[^/]+/`,
        pathNot: [`^${EVM_WASM}/$1/`, '/index\\.ts$', '/memory/layout\\.ts$'],
      },
    },
    {
      name: 'enter evm/wasm by its doors',
      severity: 'error',
      from: { path: '^node/src/evm/', pathNot: [`^${EVM_WASM}/[^/]+/`, '\\.test\\.ts$'] },
      to: { path: `^${EVM_WASM}/[^/]+/`, pathNot: ['/index\\.ts$', '/memory/layout\\.ts$'] },
    },
    {
      name: 'not your own door',
      severity: 'error',
      from: { path: '^(.+)/[^/]+\\.ts$', pathNot: '(index|\\.test)\\.ts$' },
      to: { path: '^$1/index\\.ts$' },
    },
    {
      name: 'programs meet only at platform',
      severity: 'error',
      from: { path: '^(platform|node|operator|sidecars/[^/]+)/' },
      to: { path: '^(node|operator|sidecars)/', pathNot: ['^$1/'] },
    },
    {
      name: 'tests stay out of the programs',
      severity: 'error',
      from: { path: '^(platform|node|operator|sidecars)/' },
      to: { path: '^test/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/violations/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.cjs', '.json'],
    },
  },
};
