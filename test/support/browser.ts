import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { installPackage } from './debianPackage.ts';

/** Where Debian's package puts it. */
const CHROMIUM = '/usr/bin/chromium';

/** Says why there is no Chromium, or `undefined`: it is there, or could be installed from Debian's packages. */
export function missingChromium(): string | undefined {
  if (existsSync(CHROMIUM)) return undefined;
  const missing = installPackage('chromium');
  return missing && `no ${CHROMIUM}: ${missing}`;
}

/** A headless Chromium; in a container it cannot have the sandbox that needs user namespaces. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}
