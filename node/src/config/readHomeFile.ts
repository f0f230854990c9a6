import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '@chain/platform';

/** The text of a file that every home has. Throws CONFIG_MISSING. */
export async function readHomeFile(home: string, file: string): Promise<string> {
  try {
    return await readFile(join(home, file), 'utf8');
  } catch (cause) {
    const path = join(home, file);
    const reason = (cause as NodeJS.ErrnoException).code;
    throw new CodedError(
      'CONFIG_MISSING',
      reason === 'ENOENT'
        ? `${path} does not exist; make a home with "chaind init <moniker> --home ${home}" or name another with --home`
        : `${path} cannot be read (${reason}); check --home and the permissions`,
      { fields: { path, reason }, cause },
    );
  }
}
