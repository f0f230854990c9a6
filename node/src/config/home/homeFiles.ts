import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Refuses a home that `init` must not change (design.md §6): with a genesis, a validator key or data. With
 * `overwrite` only chain data stand in the way, for they belong to the genesis that would go.
 */
export async function refuseOccupiedHome(home: string, overwrite: boolean): Promise<void> {
  const data = await dataIn(home);
  const found = [
    ...(!overwrite && (await exists(join(home, CONFIG_FILES.genesis))) ? [CONFIG_FILES.genesis] : []),
    ...(!overwrite && (await exists(join(home, CONFIG_FILES.validatorKey)))
      ? [CONFIG_FILES.validatorKey]
      : []),
    ...(overwrite ? data.filter((name) => `data/${name}` !== CONFIG_FILES.validatorState) : data).map(
      (name) => `data/${name}`,
    ),
  ];
  if (found.length === 0) return;
  const remedy = overwrite
    ? 'move the data away first'
    : 'choose another --home, move them away, or use --overwrite to replace genesis and configuration (keys stay)';
  throw new CodedError(
    'CONFIG_HOME_OCCUPIED',
    `${home} already has ${found.slice(0, 4).join(', ')}; ${remedy}`,
    {
      fields: { home, found: found.join(' ') },
    },
  );
}

async function dataIn(home: string): Promise<string[]> {
  try {
    return await readdir(join(home, 'data'));
  } catch {
    return [];
  }
}
