import { spawnSync } from 'node:child_process';

/** Installs a package of Debian's. Says why it is not there, or `undefined`. */
export function installPackage(name: string): string | undefined {
  if (process.getuid?.() !== 0) return `installing ${name} needs root`;
  // A service that comes with it is not started.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const aptGet = (...args: readonly string[]): number | null =>
    spawnSync('apt-get', args, { stdio: 'ignore', env }).status;
  aptGet('update');
  return aptGet('install', '-y', '--no-install-recommends', name) === 0
    ? undefined
    : `apt-get install ${name} failed`;
}
