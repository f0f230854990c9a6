import { access, constants, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CodedError, pathExists } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';

const DIRECTORIES = ['config', 'data'] as const;

/**
 * Refuses a home that `init` must not change (spec N-5): with a genesis, a validator key or data. With
 * `overwrite` only chain data stand in the way, for they belong to the genesis that would go.
 */
export async function refuseOccupiedHome(home: string, overwrite: boolean): Promise<void> {
  const data = await dataIn(home);
  const found = [
    ...(!overwrite && (await pathExists(join(home, CONFIG_FILES.genesis))) ? [CONFIG_FILES.genesis] : []),
    ...(!overwrite && (await pathExists(join(home, CONFIG_FILES.validatorKey)))
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

/** Makes what is missing of a home, for its owner only. Throws CONFIG_HOME_UNWRITABLE. */
export async function makeHomeDirectories(home: string): Promise<void> {
  for (const directory of DIRECTORIES.map((name) => join(home, name))) {
    try {
      await makeDirectory(directory);
      await access(directory, constants.W_OK);
    } catch (cause) {
      const reason = (cause as NodeJS.ErrnoException).code;
      throw new CodedError(
        'CONFIG_HOME_UNWRITABLE',
        `home ${home} cannot be used: ${directory} cannot be made or written (${reason}); choose another --home or correct the path and its permissions`,
        { fields: { home, directory, reason }, cause },
      );
    }
  }
}

/** As `recursive` would, which never ends where the system says ENOENT of a directory whose parent is there. */
async function makeDirectory(directory: string): Promise<void> {
  const make = () =>
    mkdir(directory, 0o700).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(directory) === directory) throw error;
    await makeDirectory(dirname(directory));
    await make();
  });
}
