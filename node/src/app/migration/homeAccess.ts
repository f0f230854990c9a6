import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CodedError, writeFileDurably } from '@chain/platform';
import { CONFIG_FILES, DATA_DIRS } from '@chain/platform/contract';
import { parseGenesisDoc } from '../../comet/index.ts';
import {
  editAppToml,
  editConfigToml,
  initialiseHome,
  joinPeers,
  loadConfig,
  type NodeConfig,
  parseConfigToml,
} from '../../config/index.ts';
import { requireBackend } from '../../db/index.ts';
import { parseGenesis } from '../../execution/index.ts';
import type {
  DataDirectory,
  HomeAccess,
  HomeSettings,
  SettingsTexts,
  TargetSettings,
} from '../../migrate/index.ts';
import { readGenesis } from '../genesis.ts';
import { RELEASE } from '../release.ts';
import { restoreTargetOf } from '../snapshotPlaces.ts';

/** A home as the migration sees it: by its files alone, for a running node's flags are asked of the node. */
export function openHomeAccess(home: string): HomeAccess {
  return {
    home,
    release: RELEASE,
    readSettings: () => readSettings(home),
    backendProblem,
    initialise: async (genesis, moniker) => {
      const doc = parseGenesisDoc(Buffer.from(genesis).toString('utf8'));
      const { evmChainId } = parseGenesis(doc.appState);
      const { chainId } = doc;
      await initialiseHome({
        home,
        moniker,
        chainId,
        evmChainId,
        mode: 'rpc',
        engine: 'cometbft',
        overwrite: false,
      });
    },
    editSettings,
    confirmSettings: async (target) => confirm(await loadConfig({ home }), target),
    endStateSync: async () => {
      const path = join(home, CONFIG_FILES.configToml);
      const text = await readFile(path, 'utf8');
      await writeFileDurably(path, editConfigToml(text, { 'statesync.enable': false }), 0o644);
    },
  };
}

async function readSettings(home: string): Promise<HomeSettings> {
  const config = await loadConfig({ home });
  const { app, comet } = config;
  const { doc } = await readGenesis(join(home, CONFIG_FILES.genesis));
  const store = app['state-store'];
  return {
    chainId: doc.chainId,
    moniker: comet.base.moniker,
    mode: app.node.mode,
    engine: app.node.engine,
    development: app.node.development,
    split: store['evm-ss-split'],
    backend: store['ss-backend'],
    archiveBy: archiveSetting(config),
    movedFiles: movedFiles(config),
    trustPeriodMs: comet.statesync.trust_period,
    directories: directoriesOf(config),
  };
}

function archiveSetting({ app }: NodeConfig): string {
  if (app['state-store']['ss-keep-recent'] === 0) return 'app.toml: state-store.ss-keep-recent = 0';
  return app.base.pruning === 'nothing' ? 'app.toml: pruning = "nothing"' : '';
}

/** Which of config.toml's files lie where "chaind init" does not put them. */
function movedFiles({ home, comet: { base } }: NodeConfig): string[] {
  const files = [
    ['genesis_file', base.genesis_file, CONFIG_FILES.genesis],
    ['priv_validator_key_file', base.priv_validator_key_file, CONFIG_FILES.validatorKey],
    ['priv_validator_state_file', base.priv_validator_state_file, CONFIG_FILES.validatorState],
    ['node_key_file', base.node_key_file, CONFIG_FILES.nodeKey],
    ['priv_validator_laddr', base.priv_validator_laddr, ''],
  ] as const;
  return files
    .filter(([, value, usual]) => resolve(home, value) !== resolve(home, usual))
    .map(([key, value]) => `${key} = "${value}"`);
}

/** Databases that CometBFT makes below `db_dir`. */
const COMET_DATABASES = ['blockstore.db', 'state.db', 'evidence.db', 'tx_index.db'] as const;

function directoriesOf(config: NodeConfig): DataDirectory[] {
  const { home, comet } = config;
  const target = restoreTargetOf(config);
  const databases = resolve(home, comet.base.db_dir);
  return [
    { path: target.base, about: 'base SS (ss-db-directory)' },
    { path: target.evm, about: 'EVM SS (evm-ss-db-directory)' },
    { path: join(home, DATA_DIRS.evmStore), about: 'stale EVM SS' },
    { path: target.commit, about: 'SC (sc-directory)' },
    { path: target.flatKv, about: 'FlatKV (sc-directory)' },
    ...COMET_DATABASES.map((name) => ({ path: join(databases, name), about: `${name} (db_dir)` })),
    { path: join(resolve(home, comet.consensus.wal_file), '..'), about: 'consensus log (wal_file)' },
  ];
}

function backendProblem(backend: string): string | undefined {
  try {
    requireBackend(backend as never);
    return undefined;
  } catch (error) {
    if (error instanceof CodedError) return error.message;
    throw error;
  }
}

function editSettings(texts: SettingsTexts, target: TargetSettings): SettingsTexts {
  const { p2p, statesync } = parseConfigToml(texts.configToml);
  return {
    appToml: editAppToml(texts.appToml, {
      'state-store.evm-ss-split': target.split,
      'state-store.ss-backend': target.backend,
    }),
    configToml: editConfigToml(texts.configToml, {
      'statesync.enable': true,
      'statesync.rpc_servers': target.rpcServers.join(','),
      'statesync.trust_height': target.trustHeight,
      'statesync.trust_hash': target.trustHash,
      'statesync.trust_period': target.trustPeriodMs,
      'statesync.temp_dir': statesync.temp_dir || target.chunkDirectory,
      'p2p.persistent_peers': joinPeers(p2p.persistent_peers, target.peers),
    }),
  };
}

function confirm({ app, comet }: NodeConfig, target: TargetSettings): void {
  const { statesync } = comet;
  const store = app['state-store'];
  const wanted: readonly (readonly [string, unknown, unknown])[] = [
    ['state-store.evm-ss-split', store['evm-ss-split'], target.split],
    ['state-store.ss-backend', store['ss-backend'], target.backend],
    ['state-store.ss-enable', store['ss-enable'], true],
    ['state-commit.sc-enable', app['state-commit']['sc-enable'], true],
    ['statesync.enable', statesync.enable, true],
    ['statesync.rpc_servers', statesync.rpc_servers, target.rpcServers.join(',')],
    ['statesync.trust_height', statesync.trust_height, target.trustHeight],
    ['statesync.trust_hash', statesync.trust_hash, target.trustHash],
  ];
  for (const [name, found, expected] of wanted) {
    if (found === expected) continue;
    throw new CodedError(
      'MIGRATE_CONFIGURE',
      `the files of the home say ${name} = ${String(found)}, and ${String(expected)} is wanted; run the step "configure" again`,
      { fields: { name } },
    );
  }
}
