import { readdir } from 'node:fs/promises';
import { CodedError } from '@chain/platform';
import type { Changelog } from '../changelog/index.ts';
import type { VersionMarkers } from './versionMarkers.ts';

const REMEDY =
  'complete the state sync (remove a stale EVM SS directory before it), or set evm-ss-split = false and restart';

/** Right after a restore only the floor may be set, so either marker alone means data (spec S-19). */
function hasData(markers: VersionMarkers | undefined): boolean {
  return markers !== undefined && (markers.latest > 0 || markers.earliest > 0);
}

/** Entries of a directory; none when it is missing. Throws STORE_DIRECTORY. */
export async function entriesOf(directory: string): Promise<readonly string[] | undefined> {
  try {
    return await readdir(directory);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CodedError(
      'STORE_DIRECTORY',
      `failed to inspect SS directory "${directory}": ${(cause as Error).message}; check its kind and permissions`,
      { fields: { directory }, cause },
    );
  }
}

/** Check 1, before anything of the EVM SS is opened or created. Throws STORE_EVM_DIRECTORY. */
export async function checkEvmDirectory(directory: string, base: VersionMarkers | undefined): Promise<void> {
  if (!hasData(base)) return;
  const entries = await entriesOf(directory);
  if (entries !== undefined && entries.length > 0) return;
  const state = entries === undefined ? 'does not exist' : 'is empty';
  throw new CodedError(
    'STORE_EVM_DIRECTORY',
    `EVM SS directory "${directory}" ${state} but the base SS already has history up to version ${base!.latest}: ${REMEDY}`,
    { fields: { directory, state, baseLatest: base!.latest } },
  );
}

/** Check 2, after open and before recovery, even where the changelog reaches back. Throws STORE_EVM_EMPTY. */
export function checkEvmNotEmpty(
  directory: string,
  base: VersionMarkers | undefined,
  evm: VersionMarkers | undefined,
): void {
  if (!hasData(base) || evm !== undefined) return;
  throw new CodedError(
    'STORE_EVM_EMPTY',
    `EVM SS in "${directory}" is empty but the base SS already has history up to version ${base!.latest}: ${REMEDY}`,
    { fields: { directory, baseLatest: base!.latest } },
  );
}

/** Check 3, after recovery. Throws STORE_EARLIEST_DIFFER. */
export function checkEarliestVersions(base: VersionMarkers, evm: VersionMarkers): void {
  if (base.earliest === evm.earliest) return;
  throw new CodedError(
    'STORE_EARLIEST_DIFFER',
    `EVM SS earliest version ${evm.earliest} does not match base SS earliest version ${base.earliest}: ${REMEDY}`,
    { fields: { evmEarliest: evm.earliest, baseEarliest: base.earliest } },
  );
}

/** An EVM SS behind the base that the changelog cannot bring up: check 2's remedy. */
export function evmCannotCatchUp(
  latest: number,
  target: number,
  { directory, firstVersion: firstLogged }: Changelog,
): CodedError {
  return new CodedError(
    'STORE_EVM_BEHIND',
    `EVM SS is at version ${latest}, the node at ${target}, and the changelog in ${directory} begins at ${firstLogged} (0 = empty), so it cannot catch up: ${REMEDY}`,
    { fields: { latest, target, firstLogged } },
  );
}
