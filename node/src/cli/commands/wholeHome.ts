import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, pathExists } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';

/**
 * Whether a home is whole, so that nothing needs to be made; asked at each start of a container, so that it loads
 * nothing of the node. Throws CONFIG_OTHER_CHAIN when the home belongs to another genesis than the given one.
 */
export async function isWholeHome(home: string, genesis: string | undefined): Promise<boolean> {
  const own = join(home, CONFIG_FILES.genesis);
  if (!(await pathExists(own))) return false;
  if (genesis === undefined) return true;
  const [there, given] = await Promise.all([readFile(own), readFile(genesis)]);
  if (there.equals(given)) return true;
  throw new CodedError(
    'CONFIG_OTHER_CHAIN',
    `${own} differs from ${genesis}: the home belongs to another chain; use an empty volume, or the genesis it began with`,
    { fields: { home, genesis } },
  );
}
