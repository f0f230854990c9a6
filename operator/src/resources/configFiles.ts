import { join } from 'node:path/posix';
import { PORTS } from '@chain/platform/contract';
import { formatToml, type TomlTable } from '@chain/platform/settings';
import type { ChainNode } from '../api/index.ts';
import { peersOf } from './peers.ts';
import type { RenderInput } from './renderInput.ts';
import { RESERVED_APP_KEYS, RESERVED_COMET_KEYS } from './reservedKeys.ts';
import { mergeTables, refuseReserved, tableOf } from './tomlTables.ts';

const EVERYWHERE = '0.0.0.0';

export interface ConfigFiles {
  readonly appToml: string;
  readonly configToml: string;
}

/**
 * Both files of a node: defaults of the operator, then what the spec says of them, then its fields. `chaind init
 * --settings` puts them into the home at each start. Throws RESOURCES_RESERVED_KEY, RESOURCES_TOML.
 */
export function renderConfig(input: Pick<RenderInput, 'node' | 'selectedPeers'>): ConfigFiles {
  const { config } = input.node.spec;
  const app = [
    given('spec.config.app', (config.app ?? {}) as TomlTable, RESERVED_APP_KEYS),
    given('spec.config.appToml', tableOf('spec.config.appToml', config.appToml), RESERVED_APP_KEYS),
  ];
  const comet = [
    given('spec.config.comet', (config.comet ?? {}) as TomlTable, RESERVED_COMET_KEYS),
    given('spec.config.cometToml', tableOf('spec.config.cometToml', config.cometToml), RESERVED_COMET_KEYS),
  ];
  return {
    appToml: formatToml(mergeTables(APP_DEFAULTS, ...app, appFields(input.node))),
    configToml: formatToml(mergeTables(COMET_DEFAULTS, ...comet, cometFields(input))),
  };
}

function given(field: string, table: TomlTable, reserved: Readonly<Record<string, string>>): TomlTable {
  refuseReserved(field, table, reserved);
  return table;
}

const APP_DEFAULTS: TomlTable = {
  node: { 'log-format': 'json' },
  // A connection that is kept alive would be cut between two requests.
  admin: { drain: '3s' },
  // Clients name Services and Ingresses, and no browser runs where pods are reached.
  evm: { vhosts: ['*'] },
};
/** Pods have private addresses. */
const COMET_DEFAULTS: TomlTable = { p2p: { addr_book_strict: false } };

function appFields({ spec }: ChainNode): TomlTable {
  const { chain, stateStore, legacyApis, probes, role } = spec;
  const within = (directory: string | undefined): string | undefined =>
    directory === undefined ? undefined : join(chain.home, directory);
  return {
    node: { mode: role, engine: chain.engine },
    'state-store': {
      'ss-backend': stateStore.backend,
      'evm-ss-split': stateStore.evmSplit,
      'ss-db-directory': within(stateStore.directory),
      'evm-ss-db-directory': within(stateStore.evmDirectory),
    },
    evm: { address: EVERYWHERE, enabled_legacy_chain_apis: legacyApis && [...legacyApis] },
    grpc: { address: `${EVERYWHERE}:${PORTS.grpc}` },
    api: { address: `tcp://${EVERYWHERE}:${PORTS.rest}` },
    admin: { address: EVERYWHERE, 'max-block-age': probes.maxBlockAge },
  };
}

function cometFields(input: Pick<RenderInput, 'node' | 'selectedPeers'>): TomlTable {
  const { spec, metadata } = input.node;
  const { chain, peers, stateSync, proxy, role } = spec;
  return {
    moniker: chain.moniker ?? metadata.name,
    rpc: {
      laddr: proxy.enabled
        ? `tcp://127.0.0.1:${PORTS.consensusRpcBehindLimiter}`
        : `tcp://${EVERYWHERE}:${PORTS.consensusRpc}`,
    },
    p2p: {
      laddr: `tcp://${EVERYWHERE}:${PORTS.p2p}`,
      external_address: peers.externalAddress,
      seeds: peers.seeds.join(','),
      persistent_peers: peersOf(input).join(','),
      seed_mode: role === 'seed',
    },
    // Whether it is switched on is the home's: init and migrations write it there.
    statesync: { trust_period: stateSync.trust?.period, temp_dir: join(chain.home, stateSync.tempDir) },
  };
}
