import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const STARTER = resolve(process.env.CHAIN_CLUSTER ?? '../shared/cluster/cluster');
/** The starter unpacks its Helm there; without a running cluster that is a place of the tests' own. */
const OWN_DIRECTORY = join(tmpdir(), 'chain-helm');

/** Says why there is no Helm, or `undefined`: it is on the PATH, or the cluster starter (CHAIN_CLUSTER) has one. */
export function missingHelm(): string | undefined {
  if (isOnPath() || existsSync(STARTER)) return undefined;
  return `no helm on the PATH, and no cluster starter at ${STARTER} (CHAIN_CLUSTER)`;
}

/** Standard output of Helm. Rejects with its standard error. */
export async function helm(...args: readonly string[]): Promise<string> {
  const [program, ...first] = isOnPath() ? ['helm'] : [STARTER, 'helm'];
  const { stdout } = await run(program!, [...first, ...args], {
    env: { CHAIN_CLUSTER_DIR: OWN_DIRECTORY, ...process.env },
    maxBuffer: 1 << 26,
  });
  return stdout;
}

function isOnPath(): boolean {
  return spawnSync('helm', ['version'], { stdio: 'ignore' }).status === 0;
}
