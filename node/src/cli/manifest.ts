import { readFileSync } from 'node:fs';
import { parseJson } from '@chain/platform';

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The program's own package.json: the one place of its version. */
export function readManifest(): Manifest {
  return parseJson(readFileSync(new URL('../../package.json', import.meta.url))) as Manifest;
}
