import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathExists } from '@chain/platform';
import { CONFIG_FILES, DATA_DIRS } from '@chain/platform/contract';
import { readNodeKey, readSignState, readValidatorKey } from '../../keys/index.ts';
import { bytesToHex } from '../../primitives/index.ts';
import { type CheckRun, Refused, refuseWhen } from '../checks.ts';
import type { ControlStatus } from '../control.ts';
import type { HomeAccess, HomeSettings } from '../homeAccess.ts';
import { planWipe } from '../wipe/planWipe.ts';
import { sizeOf, sizeOfWipe } from '../wipe/wipe.ts';

export interface HomeFacts {
  readonly access: HomeAccess;
  readonly settings: HomeSettings;
  /** Of the node that runs in the home, if one does. */
  readonly running: ControlStatus | undefined;
  readonly targetBackend: string;
  readonly targetSplit: boolean;
  /** Migrate although the split is set already. */
  readonly resync: boolean;
}

/** What must be so in the home itself (spec M-1). */
export function homeChecks(facts: HomeFacts): CheckRun[] {
  const { access, settings } = facts;
  return [
    ['role', () => checkRole(settings)],
    ['engine', () => checkEngine(settings)],
    ['release', () => checkRelease(facts)],
    ['overrides', () => checkOverrides(facts)],
    ['layout', () => checkLayout(facts)],
    ['backend', () => checkBackend(facts)],
    ['identity', () => checkIdentity(facts)],
    [
      'wipe',
      async () => {
        const plan = await planWipe(access.home, settings.directories);
        return `takes ${[...plan.emptied.map((path) => `${path}/*`), ...plan.removed].join(', ')}`;
      },
    ],
    ['disk', () => checkDisk(facts)],
  ];
}

function checkRole({ mode, archiveBy, movedFiles }: HomeSettings): string {
  refuseWhen(
    mode !== 'rpc',
    `[node] mode is "${mode}"; only RPC nodes are migrated: run the split on another node`,
  );
  refuseWhen(
    archiveBy !== '',
    `${archiveBy} makes this node an archive, whose history a state sync does not bring back; migrate another node, or give up the history by changing the setting`,
  );
  const signer = movedFiles.find((name) => name.startsWith('priv_validator_laddr'));
  refuseWhen(
    signer !== undefined,
    `config.toml has ${signer}: a remote signer makes this node a validator, which is not migrated`,
  );
  return 'RPC node by its settings';
}

function checkEngine({ engine, development }: HomeSettings): string {
  refuseWhen(
    engine !== 'cometbft',
    `[node] engine is "${engine}"${development ? ' in a development home' : ''}, which makes its blocks by itself and has no peers to sync from; only nodes of a network (engine = "cometbft") are migrated`,
  );
  return 'cometbft';
}

const FIRST_RELEASE = [6, 5] as const;

function checkRelease({ access: { release }, running }: HomeFacts): string {
  for (const [version, whose] of [
    [release, 'this program'],
    ...(running ? [[running.release, 'the running node'] as const] : []),
  ] as const) {
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const old = major < FIRST_RELEASE[0] || (major === FIRST_RELEASE[0] && minor < FIRST_RELEASE[1]);
    refuseWhen(
      old,
      `${whose} is release ${version}; the split needs ${FIRST_RELEASE.join('.')} or later: upgrade first`,
    );
  }
  return running && running.release !== release ? `${release}, running ${running.release}` : release;
}

/** Flags and variables that decide where the state is kept, or what the node is. */
const DECIDING =
  /^(state-store\.(ss-backend|ss-db-directory|evm-ss-.*)|state-commit\.sc-directory|node\.(mode|engine)|CHAIND_(STATE_STORE_(SS_BACKEND|SS_DB_DIRECTORY|EVM_SS_.*)|STATE_COMMIT_SC_DIRECTORY|NODE_(MODE|ENGINE)))$/;

/** What the process was told beside its files would come back after the restart. */
function checkOverrides({ running }: HomeFacts): string {
  const found = (running?.overrides ?? []).filter((name) => DECIDING.test(name));
  refuseWhen(
    found.length > 0,
    `the running node was given ${found.join(', ')} by flags or its environment, which win over app.toml; start it without them`,
  );
  return running ? `none; process ${running.pid} is ${running.phase}` : 'the node is not running';
}

async function checkLayout({
  settings,
  targetBackend,
  targetSplit,
  resync,
  access: { home },
}: HomeFacts): Promise<string> {
  const { split, backend } = settings;
  if (!targetSplit) return checkSingle({ split, backend, targetBackend, resync });
  if (!split) return `unsplit on ${backend}, to be split on ${targetBackend}`;
  const hasStore = await pathExists(join(home, DATA_DIRS.evmStore));
  refuseWhen(
    hasStore && backend === targetBackend && !resync,
    'evm-ss-split is true already and there is an EVM store; there is nothing to migrate (--resync state syncs again all the same)',
  );
  return `split is set in app.toml; the state is synced anew on ${targetBackend}`;
}

function checkBackend({ access, targetBackend }: HomeFacts): string {
  const problem = access.backendProblem(targetBackend);
  if (problem !== undefined)
    throw new Refused(`${targetBackend}: ${problem}; choose --backend pebbledb, or install the package`);
  return targetBackend;
}

function checkSingle({
  split,
  backend,
  targetBackend,
  resync,
}: Pick<HomeFacts, 'targetBackend' | 'resync'> & Pick<HomeSettings, 'split' | 'backend'>): string {
  refuseWhen(
    !split && backend === targetBackend && !resync,
    'evm-ss-split is false already; there is nothing to migrate (--resync state syncs again all the same)',
  );
  return `${split ? 'split' : 'unsplit'} on ${backend}, to be one store on ${targetBackend}`;
}

async function checkIdentity({ access: { home }, settings: { movedFiles } }: HomeFacts): Promise<string> {
  refuseWhen(
    movedFiles.length > 0,
    `config.toml keeps files of the node elsewhere (${movedFiles.join(', ')}), where no backup would be made; put them where "chaind init" does`,
  );
  const key = await readValidatorKey(join(home, CONFIG_FILES.validatorKey));
  const { height } = await readSignState(join(home, CONFIG_FILES.validatorState));
  const { id } = await readNodeKey(join(home, CONFIG_FILES.nodeKey));
  return `node ${id}, validator key ${bytesToHex(key.address).toUpperCase()}, last signed height ${height}`;
}

/** Beside what is free now, the new data must fit while the old may still be there (spec M-1). */
async function checkDisk({ access: { home }, settings }: HomeFacts): Promise<string> {
  const plan = await planWipe(home, settings.directories);
  const taken = await sizeOfWipe(plan);
  let stores = 0;
  for (const { path, about } of settings.directories) if (about.includes('SS')) stores += await sizeOf(path);
  const where = (await pathExists(join(home, 'data'))) ? join(home, 'data') : dirname(home);
  const { bavail, bsize } = await statfs(where);
  const free = Number(bavail) * Number(bsize);
  // The new SS beside the old one, and chunks of the same state, compressed.
  const needed = stores + stores / 2 + MARGIN_BYTES;
  refuseWhen(
    free < needed,
    `${megabytes(free)} are free under ${where}, and ${megabytes(needed)} are needed: room for the new stores beside the old ones (${megabytes(stores)}) and for chunks; free some, or grow the volume`,
  );
  return `${megabytes(free)} free, ${megabytes(needed)} needed; the wipe frees ${megabytes(taken)}`;
}

const MARGIN_BYTES = 256 << 20;
const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6).toLocaleString('en-US')} MB`;
