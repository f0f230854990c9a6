import { readFileSync } from 'node:fs';

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The program's own package.json: the one place of its version. */
export function readManifest(): Manifest {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
}
