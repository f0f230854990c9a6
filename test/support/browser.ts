import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian's package puts it. */
const CHROMIUM = '/usr/bin/chromium';

/** Says why there is no Chromium, or `undefined`: it is there, or could be installed from Debian's packages. */
export function missingChromium(): string | undefined {
  if (existsSync(CHROMIUM)) return undefined;
  if (process.getuid?.() !== 0) return `no ${CHROMIUM}, and installing it needs root`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update'], { stdio: 'ignore', env });
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { stdio: 'ignore', env });
  return existsSync(CHROMIUM) ? undefined : 'apt-get install chromium failed';
}

/** A headless Chromium; in a container it cannot have the sandbox that needs user namespaces. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}
