import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, pathExists, syncDirectory, writeFileDurably } from '@chain/platform';
import { CONFIG_FILES, KEPT_BACKUPS } from '@chain/platform/contract';
import { readNodeKey, readSignState } from '../../keys/index.ts';
import { absorbSignState, backUp, isLater } from '../backup/backUp.ts';
import { type BackupRecord, digestOf, verifyBackup } from '../backup/manifest.ts';
import { pruneBackups } from '../backup/pruneBackups.ts';
import type { TargetSettings } from '../homeAccess.ts';
import type { Journal } from '../journal.ts';
import { IDENTITY_FILES, migrationPlaces } from '../layout.ts';
import { migrationErrors } from '../migrationErrors.ts';
import { findPeers, rotated } from '../trust/findPeers.ts';
import { probeServers, resolveTrust, type Trust } from '../trust/resolveTrust.ts';
import { sizeOfWipe, wipe } from '../wipe/wipe.ts';
import type { Step, StepDeps } from './stepContext.ts';

/** Backs up (spec M-2). */
const backupStep: Step = async (journal, { access: { home } }) => {
  const record = journal.backup
    ? await refreshed(journal, home)
    : { ...(await backUp(home, migrationPlaces(home).backup(journal.id, 1))), number: 1 };
  const { files } = await verifyBackup(record);
  return {
    detail: `${Object.keys(files).length} files in ${record.directory}, read again and hashed`,
    changes: { backup: record },
  };
};

/** Wipes (spec M-3). */
const wipeStep: Step = async (journal, { access: { home }, tell }) => {
  const backup = await refreshed(journal, home);
  const bytes = await sizeOfWipe(journal.wipe);
  tell(`deleting ${Math.ceil(bytes / 1e6)} MB`);
  await wipe(journal.wipe, backup);
  return {
    detail: `${journal.wipe.emptied.map((path) => `${path}/*`).join(', ')} and ${journal.wipe.removed.join(', ')}`,
    changes: { backup },
  };
};

/** Makes the home again (spec M-2). What an interrupted `init` left is wiped again first. */
const initStep: Step = async (journal, { access }) => {
  const backup = await refreshed(journal, access.home);
  await wipe(journal.wipe, backup);
  const genesis = await readFile(join(backup.directory, CONFIG_FILES.genesis));
  await access.initialise(genesis, journal.before.moniker);
  return {
    detail: `chain ${journal.before.chainId}, moniker ${journal.before.moniker}`,
    changes: { backup },
  };
};

/** What was resolved longer ago is resolved anew: the newest blocks, and what they are worth, have moved on. */
const TRUST_AGE_MS = 3_600_000;

/** Sets the configuration and the trust (spec M-2, M-4). Starts from the backed up files, whatever the home has now. */
const configureStep: Step = async (journal, deps) => {
  const { access } = deps;
  const { directory } = await backupOf(journal);
  const { trust, peers } = await freshTrust(journal, deps);
  const target = targetSettings(access.home, { ...journal, trust, peers });
  const read = (file: string) => readFile(join(directory, file), 'utf8');
  const texts = access.editSettings(
    { appToml: await read(CONFIG_FILES.appToml), configToml: await read(CONFIG_FILES.configToml) },
    target,
  );
  await writeFileDurably(join(access.home, CONFIG_FILES.appToml), texts.appToml, 0o644);
  await writeFileDurably(join(access.home, CONFIG_FILES.configToml), texts.configToml, 0o644);
  await access.confirmSettings(target);
  return {
    detail: `evm-ss-split = ${target.split}, ss-backend = ${target.backend}, trust height ${trust.height}, ${peers.length} peers`,
    changes: { trust, peers },
  };
};

/** Restores the backed up files (spec M-5). The last-sign state stays where it is when it is later already. */
export const restoreStep: Step = async (journal, { access: { home } }) => {
  const backup = await backupOf(journal);
  const { files } = await verifyBackup(backup);
  for (const file of IDENTITY_FILES) {
    if (file === CONFIG_FILES.validatorState && (await hasLaterState(home, backup))) continue;
    const bytes = await readFile(join(backup.directory, file));
    await writeFileDurably(join(home, file), bytes, file === CONFIG_FILES.genesis ? 0o644 : 0o600);
    if (digestOf(await readFile(join(home, file))) !== files[file]) {
      throw migrationErrors.restore(`${join(home, file)} is not what was written; check the disk`, { file });
    }
  }
  return { detail: IDENTITY_FILES.join(', ') };
};

/**
 * Nothing but the sign state may lie in `data/`, and every file must be what the backup says: then it may start. The home
 * is whole again and its newest backup is proven to be, so that this is the moment at which old ones may go.
 */
const sealStep: Step = async (journal, { access }) => {
  const { home } = access;
  const backup = await backupOf(journal);
  const { files } = await verifyBackup(backup);
  for (const file of IDENTITY_FILES) {
    const same = digestOf(await readFile(join(home, file))) === files[file];
    if (same || (file === CONFIG_FILES.validatorState && (await hasLaterState(home, backup)))) continue;
    throw migrationErrors.restore(
      `${join(home, file)} is not the one of the backup in ${backup.directory}; run the step "restore" again`,
      { file },
    );
  }
  const left = (await readdir(join(home, 'data'))).filter(
    (name) => `data/${name}` !== CONFIG_FILES.validatorState,
  );
  if (left.length > 0) {
    throw migrationErrors.wipe(
      `${join(home, 'data')} holds ${left.slice(0, 4).join(', ')}, and a state sync needs it empty; run the step "wipe" again`,
      { left: left.join(' ') },
    );
  }
  await access.confirmSettings(targetSettings(home, journal));
  const chunks = chunkDirectory(home);
  await rm(chunks, { recursive: true, force: true });
  await mkdir(chunks, { recursive: true, mode: 0o700 });
  for (const directory of ['config', 'data', '.']) await syncDirectory(join(home, directory));
  const pruned = await withoutOldBackups(journal, home, backup);
  return { detail: `ready to state sync${pruned}`, changes: { sealedAt: new Date().toISOString() } };
};

/** Room that is not won is no reason to stop behind a wipe. */
async function withoutOldBackups({ wish }: Journal, home: string, backup: BackupRecord): Promise<string> {
  try {
    const gone = await pruneBackups(home, backup, wish.keepBackups ?? KEPT_BACKUPS);
    return gone.length === 0 ? '' : `; old backups are gone: ${gone.join(', ')}`;
  } catch (error) {
    return `; old backups stay: ${messageOf(error)}`;
  }
}

export function targetSettings(
  home: string,
  { wish, trust, peers, before }: Pick<Journal, 'wish' | 'trust' | 'peers' | 'before'>,
): TargetSettings {
  return {
    split: wish.into !== 'single',
    backend: wish.backend,
    // CometBFT's light client wants two; one that is trusted alone is its own witness.
    rpcServers: trust.servers.length === 1 ? [trust.servers[0]!, trust.servers[0]!] : trust.servers,
    trustHeight: trust.height,
    trustHash: trust.hash,
    trustPeriodMs: before.trustPeriodMs,
    peers,
    chunkDirectory: chunkDirectory(home),
  };
}

const chunkDirectory = (home: string): string => join(home, 'run/statesync');

async function backupOf({ backup }: Journal): Promise<BackupRecord & { number: number }> {
  if (backup) return backup;
  throw migrationErrors.backup('there is no backup yet; run the step "backup" first');
}

/** The backup, verified, with what was signed since. */
async function refreshed(journal: Journal, home: string): Promise<BackupRecord & { number: number }> {
  const backup = await backupOf(journal);
  const number = backup.number + 1;
  const next = await absorbSignState(home, backup, migrationPlaces(home).backup(journal.id, number));
  if (next === backup) {
    await verifyBackup(backup);
    return backup;
  }
  return { ...next, number };
}

async function hasLaterState(home: string, { directory }: BackupRecord): Promise<boolean> {
  const path = join(home, CONFIG_FILES.validatorState);
  if (!(await pathExists(path))) return false;
  return isLater(
    await readSignState(path),
    await readSignState(join(directory, CONFIG_FILES.validatorState)),
  );
}

async function freshTrust(
  journal: Journal,
  { access: { home } }: StepDeps,
): Promise<{ trust: Trust; peers: readonly string[] }> {
  const now = Date.now();
  if (now - journal.trust.resolvedAt < TRUST_AGE_MS) return journal;
  const { wish, before } = journal;
  const { id: ownId } = await readNodeKey(join(home, CONFIG_FILES.nodeKey));
  const options = {
    chainId: before.chainId,
    urls: rotated(wish.trustedRpcs, wish.rotate ?? 0),
    allowSingle: wish.allowSingleRpc,
    delta: wish.delta,
    periodMs: before.trustPeriodMs,
    ownId,
    now,
  };
  const servers = await probeServers(options);
  return {
    trust: await resolveTrust(servers, options),
    peers: await findPeers(servers, { given: wish.peers, ownId, rotate: wish.rotate ?? 0 }),
  };
}

/** Only these change what a home keeps; all of them refuse while somebody works on it. */
export const DATA_STEPS = {
  backup: backupStep,
  wipe: wipeStep,
  init: initStep,
  configure: configureStep,
  restore: restoreStep,
  seal: sealStep,
} satisfies Record<string, Step>;
