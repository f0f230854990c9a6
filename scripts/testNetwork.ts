import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initialiseHome } from '../node/src/config/index.ts';
import { DEVELOPMENT_BALANCE_WEI } from '../node/src/execution/index.ts';
import { DEVELOPMENT_MNEMONIC, deriveAccounts } from '../node/src/keys/index.ts';
import { PORTS } from '../platform/src/contract/index.ts';

/**
 * `npm run k8s:network`: makes genesis and keys of the network that k8s/testNetwork runs. Ten accounts with well-known
 * keys are funded: for tests only.
 */
const OUT = 'k8s/testNetwork/generated';
const VALIDATORS = 4;
const CHAIN_ID = 'chain-test-1';
const EVM_CHAIN_ID = 713_715n;

interface GenesisJson {
  validators: unknown[];
  app_state: { staking: { validators: unknown[] } };
}

const work = mkdtempSync(join(tmpdir(), 'test-network-'));
mkdirSync(OUT, { recursive: true });
const accounts = deriveAccounts({ mnemonic: DEVELOPMENT_MNEMONIC, count: 10 });
const homes = [];
for (let i = 0; i < VALIDATORS; i++) {
  const home = join(work, String(i));
  const moniker = `chain-validator-${i}`;
  const made = await initialiseHome({
    home,
    moniker,
    chainId: CHAIN_ID,
    evmChainId: EVM_CHAIN_ID,
    mode: 'validator',
    engine: 'cometbft',
    overwrite: false,
    // An operator of its own each.
    accounts: accounts
      .map((_, k) => ({ ...accounts[(i + k) % accounts.length]!, balanceWei: DEVELOPMENT_BALANCE_WEI }))
      .slice(0, accounts.length),
  });
  for (const key of ['node_key.json', 'priv_validator_key.json']) {
    copyFileSync(join(home, 'config', key), join(OUT, `${moniker}.${key}`));
  }
  const genesis = JSON.parse(readFileSync(join(home, 'config', 'genesis.json'), 'utf8')) as GenesisJson;
  homes.push({ moniker, genesis, nodeId: made.nodeId });
}
rmSync(work, { recursive: true });
const [{ genesis }] = homes as [(typeof homes)[number]];
genesis.validators = homes.flatMap((home) => home.genesis.validators);
genesis.app_state.staking.validators = homes.flatMap((home) => home.genesis.app_state.staking.validators);
writeFileSync(join(OUT, 'genesis.json'), `${JSON.stringify(genesis, null, 2)}\n`);
const peers = homes.map(({ moniker, nodeId }) => `${nodeId}@${moniker}.chain-validators:${PORTS.p2p}`);
const variables = {
  CMT_P2P_LADDR: `tcp://0.0.0.0:${PORTS.p2p}`,
  CMT_P2P_PERSISTENT_PEERS: peers.join(','),
  // Pods have private addresses.
  CMT_P2P_ADDR_BOOK_STRICT: 'false',
};
const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
writeFileSync(join(OUT, 'network.env'), lines.join(''));
console.log(`wrote ${OUT}: genesis of ${CHAIN_ID} and keys of ${VALIDATORS} validators`);
