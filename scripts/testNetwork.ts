import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PORTS } from '../platform/src/contract/index.ts';

/**
 * `npm run k8s:network`: makes genesis and keys of the network that k8s/testNetwork runs, from a local network's homes.
 * One that is there stays. Its funded accounts have well-known keys: for tests only.
 */
const OUT = 'k8s/testNetwork/generated';
const VALIDATORS = 4;
const CHAIN_ID = 'chain-test-1';
const EVM_CHAIN_ID = 713_715;

// Validators of the network may run: the same keys below another genesis would sign for two chains.
if (existsSync(join(OUT, 'genesis.json')) && !process.argv.includes('--anew')) {
  process.stdout.write(`${OUT} has a network; it stays (npm run k8s:network -- --anew makes another)\n`);
  process.exit();
}

const work = mkdtempSync(join(tmpdir(), 'test-network-'));
const network = join(work, 'network');
execFileSync(process.execPath, [
  'node/bin/chaind.js',
  'localnet',
  '--init-only',
  '--directory',
  network,
  '--validators',
  String(VALIDATORS),
  '--rpc',
  '0',
  '--cometbft',
  'cometbft',
  '--chain-id',
  CHAIN_ID,
  '--evm-chain-id',
  String(EVM_CHAIN_ID),
]);
mkdirSync(OUT, { recursive: true });
const homes = Array.from({ length: VALIDATORS }, (_, i) => join(network, `validator${i}`, 'config'));
for (const [i, home] of homes.entries()) {
  for (const key of ['node_key.json', 'priv_validator_key.json']) {
    copyFileSync(join(home, key), join(OUT, `chain-validator-${i}.${key}`));
  }
}
copyFileSync(join(homes[0]!, 'genesis.json'), join(OUT, 'genesis.json'));
const variables = {
  CHAIND_P2P_LADDR: `tcp://0.0.0.0:${PORTS.p2p}`,
  CHAIND_P2P_PERSISTENT_PEERS: persistentPeers(),
  // A pod that comes later may begin with one (docs/guides/containers.md).
  CHAIND_STATE_SYNC_SNAPSHOT_INTERVAL: '30',
  // Pods have private addresses.
  CHAIND_P2P_ADDR_BOOK_STRICT: 'false',
};
const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
writeFileSync(join(OUT, 'network.env'), lines.join(''));
writeFileSync(join(OUT, 'kustomization.yaml'), kustomization());
rmSync(work, { recursive: true });
console.log(`wrote ${OUT}: genesis of ${CHAIN_ID} and keys of ${VALIDATORS} validators`);

/** Each home names the others by their ids; together they name all, in the order of their ports. */
function persistentPeers(): string {
  const ids = new Map<number, string>();
  for (const home of homes) {
    const config = readFileSync(join(home, 'config.toml'), 'utf8');
    for (const [, id, port] of config.matchAll(/([0-9a-f]{40})@127\.0\.0\.1:(\d+)/g))
      ids.set(Number(port), id!);
  }
  return [...ids]
    .sort(([a], [b]) => a - b)
    .map(([, id], i) => `${id}@chain-validator-${i}.chain-validators:${PORTS.p2p}`)
    .join(',');
}

/** Genesis and keys under the names that k8s/samples go by. */
function kustomization(): string {
  const secrets = homes.map((_, i) => {
    const files = ['node_key.json', 'priv_validator_key.json'].map(
      (key) => `${key}=chain-validator-${i}.${key}`,
    );
    return `  - { name: validator-${i}, files: [${files.join(', ')}] }\n`;
  });
  return [
    'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n',
    'generatorOptions: { disableNameSuffixHash: true }\n',
    'configMapGenerator:\n  - { name: chain-genesis, files: [genesis.json] }\n',
    `secretGenerator:\n${secrets.join('')}`,
  ].join('');
}
