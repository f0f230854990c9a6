import { CodedError } from '@chain/platform';
import type { Changelog } from '../changelog/index.ts';
import { evmCannotCatchUp } from './startupChecks.ts';
import { allSettled } from './stateMember.ts';
import type { Side } from './storeRouter.ts';

const GROUP_BLOCKS = 32;

export interface RecoveryOptions {
  /** What SC is at. */
  readonly committedVersion: number;
  /** Height of the chain's first block. */
  readonly initialVersion: number;
}

/**
 * Brings both stores to the changelog's end, each from its own marker, so that no block is applied twice or
 * left out. Throws STORE_WITHOUT_DATA, STORE_CHANGELOG_GAP, STORE_EVM_BEHIND, STORE_AHEAD; then nothing has
 * been written. Returns the number of blocks replayed.
 */
export async function recover(
  sides: readonly Side[],
  changelog: Changelog,
  options: RecoveryOptions,
): Promise<number> {
  const reached = Math.max(options.committedVersion, changelog.lastVersion);
  for (const side of sides) requireWayTo(reached, side, changelog, options);
  const start = Math.min(...sides.map((side) => nextOf(side, options)));
  if (start > reached) return 0;
  let waiting = 0;
  for (const { changes } of changelog.read(start)) {
    for (const { member, own } of sides) {
      if (latestOf(member) < changes.version) member.stage(changes.version, own(changes));
    }
    if (++waiting % GROUP_BLOCKS === 0) await writeAll(sides, changes.version);
  }
  await writeAll(sides, reached);
  return waiting;
}

async function writeAll(sides: readonly Side[], version: number): Promise<void> {
  const behind = sides.filter(({ member }) => latestOf(member) < version);
  await allSettled(behind.map(async ({ member }) => (await member.prepare(version)).write()));
}

function latestOf(member: Side['member']): number {
  return member.markers?.latest ?? 0;
}

function nextOf({ member }: Side, { initialVersion }: RecoveryOptions): number {
  const latest = latestOf(member);
  return latest === 0 ? initialVersion : latest + 1;
}

function requireWayTo(reached: number, side: Side, changelog: Changelog, options: RecoveryOptions): void {
  const latest = latestOf(side.member);
  if (latest > reached) throw ahead(side, latest, changelog, reached);
  const next = nextOf(side, options);
  if (next > reached) return;
  const { firstVersion, lastVersion } = changelog;
  if (firstVersion > 0 && firstVersion <= next && lastVersion >= reached) return;
  if (side.name === 'EVM SS') throw evmCannotCatchUp(latest, reached, changelog);
  if (latest === 0) throw withoutData(options.committedVersion, firstVersion);
  throw new CodedError(
    'STORE_CHANGELOG_GAP',
    `base SS is at version ${latest}, the node at ${reached}, but the changelog in ${changelog.directory} covers ${firstVersion} to ${lastVersion}: versions are missing; state sync again`,
    { fields: { latest, reached, firstVersion, lastVersion } },
  );
}

/** An SS backend without data while SC has history (spec S-20). */
export function withoutData(committedVersion: number, firstVersion: number): CodedError {
  return new CodedError(
    'STORE_WITHOUT_DATA',
    `base SS has no data, the node is at version ${committedVersion}, and the changelog begins at ${firstVersion} (0 = empty); state sync, or put the old ss-backend and its directory back`,
    { fields: { committedVersion, firstVersion } },
  );
}

function ahead({ name }: Side, latest: number, changelog: Changelog, reached: number): CodedError {
  const { directory } = changelog;
  return new CodedError(
    'STORE_AHEAD',
    `${name} is at version ${latest} but SC and the changelog in ${directory} end at ${reached}: it belongs to another chain or time; remove the stale SS directory and state sync, or restore the data directory as a whole`,
    { fields: { name, latest, reached, directory } },
  );
}
