import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, pathExists } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { type GenesisFlags, isUrl, sha256Of, wantedDigest } from './fetchGenesis.ts';

/**
 * Whether a home is whole, so that nothing needs to be made; asked at each start of a container, so that it loads
 * nothing of the node and fetches nothing. Throws CONFIG_OTHER_CHAIN when the home belongs to another genesis than the
 * given one.
 */
export async function isWholeHome(home: string, flags: GenesisFlags): Promise<boolean> {
  const own = join(home, CONFIG_FILES.genesis);
  const digest = wantedDigest(flags);
  if (!(await pathExists(own))) return false;
  const { genesis } = flags;
  if (genesis === undefined) return true;
  const there = await readFile(own);
  const same =
    digest !== undefined
      ? sha256Of(there) === digest
      : !isUrl(genesis) && there.equals(await readFile(genesis));
  if (same) return true;
  throw new CodedError(
    'CONFIG_OTHER_CHAIN',
    `${own} differs from ${genesis}: the home belongs to another chain; use an empty volume, or the genesis it began with`,
    { fields: { home, genesis } },
  );
}
