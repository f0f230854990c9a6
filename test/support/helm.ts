import { execFile, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CLUSTER_STARTER, missingStarter } from './clusterStarter.ts';

const run = promisify(execFile);
/** The starter unpacks its Helm there; without a running cluster that is a place of the tests' own. */
const OWN_DIRECTORY = join(tmpdir(), 'chain-helm');

/** Says why there is no Helm, or `undefined`: it is on the PATH, or the cluster starter (CHAIN_CLUSTER) has one. */
export function missingHelm(): string | undefined {
  const missing = isOnPath() ? undefined : missingStarter();
  return missing && `no helm on the PATH, and ${missing}; install Helm 3`;
}

/** Standard output of Helm. Rejects with its standard error. */
export async function helm(...args: readonly string[]): Promise<string> {
  const [program, ...first] = isOnPath() ? ['helm'] : [CLUSTER_STARTER, 'helm'];
  const { stdout } = await run(program!, [...first, ...args], {
    env: { CHAIN_CLUSTER_DIR: OWN_DIRECTORY, ...process.env },
    maxBuffer: 1 << 26,
  });
  return stdout;
}

function isOnPath(): boolean {
  return spawnSync('helm', ['version'], { stdio: 'ignore' }).status === 0;
}
