import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError, Lifecycle, silentLogger } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { type AppConfig, loadConfig } from '../../config/index.ts';
import { bytesToHex, equalBytes } from '../../primitives/index.ts';
import { openChangelog } from '../../state/changelog/index.ts';
import { openStateCommit, type StateCommit } from '../../state/commit/index.ts';
import { flatKvVersions, verifyFlatKv } from '../../state/flatKv/index.ts';
import { STORE_NAMES } from '../../state/schema/index.ts';
import { refuseInterruptedRestore } from '../../state/snapshot/index.ts';
import { openStoreDatabases } from '../../state/store/index.ts';
import { readGenesis } from '../genesis.ts';
import { openState } from '../openState.ts';
import { readJournal } from '../rollback/rollbackJournal.ts';
import type { StartOptions } from '../startOptions.ts';
import { stateDirectories } from '../stateDirectories.ts';
import { compareDatabase, type LayerDifference } from './compareDatabase.ts';
import { rewindCommit } from './rewindCommit.ts';
import { makeShadowHome, type ShadowHome } from './shadowHome.ts';

/** Rows compared, of those of all layers. */
export type VerifyProgress = (done: number, total: number) => void;

export interface VerifiedLayer {
  readonly name: string;
  /** `equal`, `different`, or why it was not compared. */
  readonly result: string;
  readonly difference?: LayerDifference;
}

export interface StateVerification {
  readonly height: number;
  readonly appHash: string;
  readonly keys: number;
  readonly layers: readonly VerifiedLayer[];
  readonly equal: boolean;
}

export interface VerifyOptions extends StartOptions {
  /** The newest by default. */
  readonly height?: number;
}

/**
 * Recomputes SC's hashes from its leaves, and compares its root with the next header, and every key with SS and
 * FlatKV, at one height; in a temporary copy, so nothing of the home changes. Throws what a start throws,
 * APP_HEIGHT_OUT_OF_REACH, APP_HOME_IN_MOTION.
 */
export async function verifyState(
  options: VerifyOptions,
  onProgress: VerifyProgress,
): Promise<StateVerification> {
  const { home } = options;
  const { app: config } = await loadConfig(options);
  refuseInterruptedRestore(home);
  const rollback = await readJournal(home);
  if (rollback) throw unfinishedRollback(home, rollback.target);
  const { initialHeight } = (await readGenesis(join(home, CONFIG_FILES.genesis))).doc;
  const shadow = await makeShadowHome({ home, config }, { copySegments: true });
  const lifecycle = new Lifecycle();
  try {
    const hadFlatKv = existsSync(stateDirectories(shadow.home, shadow.config).flatKv);
    const recovered = await recover(shadow, { initialHeight, height: options.height });
    const directories = stateDirectories(shadow.home, shadow.config);
    if (recovered.height < recovered.latest)
      await rewindCommit(directories, { height: recovered.height, initialHeight });
    const commit = await openCommit(directories, { initialHeight, lifecycle });
    return await verify(
      { commit, config: shadow.config, home: shadow.home, hadFlatKv, onProgress },
      recovered,
    );
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw new CodedError(error.code, shadow.named(error.message), { fields: error.fields, cause: error });
  } finally {
    await lifecycle.close();
    await shadow.remove();
  }
}

function unfinishedRollback(home: string, target: number): CodedError {
  return new CodedError(
    'APP_ROLLBACK_UNFINISHED',
    `a rollback of ${home} to height ${target} was cut short, and its layers differ until it is finished; run "chaind rollback" first`,
    { fields: { home, target } },
  );
}

interface Recovered {
  readonly height: number;
  readonly latest: number;
  /** What the header behind `height` says; absent for the newest. */
  readonly headerAppHash: Uint8Array | undefined;
}

/** Runs a start's recovery, so that SS and FlatKV are where the changelog ends. */
async function recover(
  { home, config }: ShadowHome,
  { initialHeight, height }: { readonly initialHeight: number; readonly height: number | undefined },
): Promise<Recovered> {
  const lifecycle = new Lifecycle();
  try {
    const deps = { lifecycle, logger: silentLogger, metrics: createMetricsRegistry() };
    const state = await openState({ home, config, initialHeight }, deps);
    await state.flatKv?.flushed();
    const latest = state.stateCommit.version;
    const chosen = height ?? latest;
    const { earliestVersion } = state.stateStore;
    if (chosen < earliestVersion || chosen > latest) {
      throw new CodedError(
        'APP_HEIGHT_OUT_OF_REACH',
        `SS holds versions ${earliestVersion} to ${latest}; choose --height in that range`,
        { fields: { height: chosen, lowest: earliestVersion, highest: latest } },
      );
    }
    return {
      height: chosen,
      latest,
      headerAppHash: state.history.blockByHeight(chosen + 1)?.block.header.appHash,
    };
  } finally {
    await lifecycle.close();
  }
}

async function openCommit(
  directories: { readonly commit: string; readonly changelog: string },
  { initialHeight, lifecycle }: { readonly initialHeight: number; readonly lifecycle: Lifecycle },
): Promise<StateCommit> {
  const logger = silentLogger;
  const changelog = lifecycle.own(await openChangelog({ directory: directories.changelog }, { logger }));
  const options = {
    directory: directories.commit,
    stores: STORE_NAMES,
    initialVersion: initialHeight,
    snapshotInterval: Number.MAX_SAFE_INTEGER,
    snapshotKeepRecent: Number.MAX_SAFE_INTEGER - 1,
  };
  return lifecycle.own(await openStateCommit(options, { changelog, logger }));
}

interface Subject {
  readonly commit: StateCommit;
  readonly config: AppConfig;
  readonly home: string;
  /** Before the recovery, which makes one that is missing. */
  readonly hadFlatKv: boolean;
  readonly onProgress: VerifyProgress;
}

async function verify(subject: Subject, { height, headerAppHash }: Recovered): Promise<StateVerification> {
  const { commit } = subject;
  const layers = [
    verifyTrees(subject, headerAppHash),
    ...(await verifyStores(subject, height)),
    await verifyFlat(subject, height),
  ];
  subject.onProgress(1, 1);
  return {
    height,
    appHash: bytesToHex(commit.appHash),
    keys: commit.leafCount,
    layers,
    equal: layers.every(({ difference }) => difference === undefined),
  };
}

/** Trees, base SS, EVM SS or each of its databases, FlatKV. */
const layersOf = ({ 'state-store': store }: AppConfig): number =>
  3 + (store['evm-ss-split'] ? (store['evm-ss-separate-dbs'] ? EVM_DATABASES : 1) : 0);
const EVM_DATABASES = 5;

/** Counts rows of one layer, telling of about every hundredth part. */
function counter({ onProgress, commit, config }: Subject, layer: number): () => void {
  const rows = commit.leafCount;
  const step = Math.max(1, Math.floor(rows / 100));
  let done = 0;
  return () => {
    if (++done % step === 0) onProgress(layer * rows + done, layersOf(config) * rows);
  };
}

function verifyTrees(subject: Subject, headerAppHash: Uint8Array | undefined): VerifiedLayer {
  const name = 'SC (memiavl)';
  const { commit } = subject;
  const wrong = commit.verifyHashes(counter(subject, 0));
  const layer = (difference: LayerDifference): VerifiedLayer => ({ name, result: 'different', difference });
  if (wrong) {
    return layer({
      layer: name,
      store: wrong.store,
      key: bytesToHex(wrong.key),
      what: `hash of a ${wrong.node} of version ${wrong.version}`,
      expected: bytesToHex(wrong.computed),
      found: bytesToHex(wrong.stored),
    });
  }
  if (headerAppHash === undefined || equalBytes(headerAppHash, commit.appHash))
    return { name, result: 'equal' };
  return layer({
    layer: name,
    store: 'all',
    key: '',
    what: 'app hash of the next header',
    expected: bytesToHex(headerAppHash),
    found: bytesToHex(commit.appHash),
  });
}

async function verifyStores(subject: Subject, height: number): Promise<VerifiedLayer[]> {
  const { config, home, commit } = subject;
  const store = config['state-store'];
  const directories = stateDirectories(home, config);
  const databases = await openStoreDatabases({
    backend: store['ss-backend'],
    baseDirectory: directories.base,
    ...(store['evm-ss-split'] && {
      evm: { directory: directories.evm, separateDbs: store['evm-ss-separate-dbs'] },
    }),
  });
  try {
    const layers: VerifiedLayer[] = [];
    for (const [i, database] of databases.entries()) {
      const { name } = database;
      const expectation = { state: commit, stores: STORE_NAMES, version: height };
      const difference = await compareDatabase(database, expectation, counter(subject, 1 + i));
      layers.push(difference ? { name, result: 'different', difference } : { name, result: 'equal' });
    }
    return layers;
  } finally {
    await Promise.all(databases.map((database) => database.close()));
  }
}

/** FlatKV holds one version only. */
async function verifyFlat(
  { config, home, commit, hadFlatKv }: Subject,
  height: number,
): Promise<VerifiedLayer> {
  const name = 'SC (FlatKV)';
  const { flatKv: directory } = stateDirectories(home, config);
  if (config['state-commit']['sc-flatkv'] === 'off') return { name, result: 'off' };
  if (!hadFlatKv) return { name, result: 'not there: the next start makes it from SC' };
  const versions = await flatKvVersions(directory);
  const version = Math.min(...versions.values());
  if (version !== height) return { name, result: `not compared: it holds version ${version}` };
  const { difference } = await verifyFlatKv({ directory, stores: STORE_NAMES, version }, commit);
  if (difference === undefined) return { name, result: 'equal' };
  const { database, what, key, expected, found } = difference;
  return {
    name,
    result: 'different',
    difference: { layer: name, store: database, key, what, expected, found },
  };
}
