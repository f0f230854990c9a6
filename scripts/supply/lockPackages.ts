import { readFileSync } from 'node:fs';

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** As an SPDX expression; absent where the package does not say. */
  readonly license?: string;
  /** Hex, of its archive. */
  readonly sha512?: string;
  /** Nothing of it is in an image. */
  readonly isDev: boolean;
}

interface Entry {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
}

/** Where a package does not say what its licence file says. */
const SAID_ELSEWHERE: Readonly<Record<string, string>> = { memorystream: 'MIT' };

/** Each package of the lock file once a version, in order of name. */
export function lockedPackages(lock: string = readFileSync('package-lock.json', 'utf8')): LockedPackage[] {
  const { packages } = JSON.parse(lock) as { readonly packages: Readonly<Record<string, Entry>> };
  const found = new Map<string, LockedPackage>();
  for (const [path, entry] of Object.entries(packages)) {
    const at = path.lastIndexOf('node_modules/');
    if (at < 0 || entry.link) continue;
    const name = entry.name ?? path.slice(at + 'node_modules/'.length);
    const { version = '', integrity, dev = false, devOptional = false } = entry;
    const license = entry.license ?? SAID_ELSEWHERE[name];
    const sha512 = /^sha512-(.+)$/.exec(integrity ?? '')?.[1];
    const key = `${name}@${version}`;
    const isDev = (dev || devOptional) && (found.get(key)?.isDev ?? true);
    found.set(key, {
      name,
      version,
      isDev,
      ...(license !== undefined && { license }),
      ...(sha512 !== undefined && { sha512: Buffer.from(sha512, 'base64').toString('hex') }),
    });
  }
  return [...found.values()].sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}
