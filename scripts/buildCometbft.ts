import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const COMETBFT_RELEASE = 'v0.38.26';
const DIRECTORY = resolve('node_modules/.cache/cometbft/bin');

/** Where the program lies once it is built. */
export const COMETBFT_PROGRAM = join(DIRECTORY, 'cometbft');

/** Builds CometBFT once, with Go and its module proxy; says why it cannot, or `undefined` when it is there. */
export function buildCometbft(): string | undefined {
  if (existsSync(COMETBFT_PROGRAM)) return undefined;
  mkdirSync(DIRECTORY, { recursive: true });
  try {
    execFileSync('go', ['install', `github.com/cometbft/cometbft/cmd/cometbft@${COMETBFT_RELEASE}`], {
      env: { ...process.env, GOBIN: DIRECTORY },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return undefined;
  } catch {
    return `CometBFT ${COMETBFT_RELEASE} cannot be built: install Go, and let it reach its module proxy`;
  }
}
