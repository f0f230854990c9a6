import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { CodedError, messageOf } from '@chain/platform';

/** The series whose ABCI this program speaks. */
const SERIES = /^v?0\.38\.\d+/;
const INSTALL = 'go install github.com/cometbft/cometbft/cmd/cometbft@v0.38.26';

export interface Cometbft {
  readonly path: string;
  readonly version: string;
}

/**
 * The `cometbft` program: the one that is named, else the first on PATH. Throws CONSENSUS_COMETBFT_MISSING,
 * CONSENSUS_COMETBFT_VERSION.
 */
export async function findCometbft(
  named: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Cometbft> {
  const path = named === '' ? await onPath(environment.PATH ?? '') : named;
  if (path === undefined) {
    throw new CodedError(
      'CONSENSUS_COMETBFT_MISSING',
      `no cometbft on PATH; install it (${INSTALL}), name it with --cometbft or [node] cometbft, or let one of your own connect with --abci-listen`,
    );
  }
  const version = await versionOf(path);
  if (SERIES.test(version)) return { path, version };
  throw new CodedError(
    'CONSENSUS_COMETBFT_VERSION',
    `${path} is CometBFT "${version.slice(0, 80)}", and 0.38.x is wanted; install it with: ${INSTALL}`,
    { fields: { path, version: version.slice(0, 80) } },
  );
}

async function onPath(directories: string): Promise<string | undefined> {
  for (const directory of directories.split(delimiter).filter((entry) => entry !== '')) {
    const path = join(directory, 'cometbft');
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

async function versionOf(path: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(path, ['version'], { timeout: 30_000 });
    return stdout.trim();
  } catch (cause) {
    throw new CodedError(
      'CONSENSUS_COMETBFT_MISSING',
      `${path} cannot be run (${messageOf(cause)}); name the cometbft program with --cometbft or [node] cometbft`,
      { fields: { path }, cause },
    );
  }
}
