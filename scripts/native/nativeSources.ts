import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const NATIVE_DIRECTORY = 'node/native';
/** Beside the binaries: of which sources they are. */
export const SOURCES_DIGEST = 'node/prebuilds/sources.sha256';

/** SHA-256, in hex, of the manifests and sources that the binaries are compiled from. */
export function sourcesDigest(): string {
  const sources = readdirSync(join(NATIVE_DIRECTORY, 'src')).sort();
  const digest = createHash('sha256');
  for (const file of ['Cargo.toml', 'Cargo.lock', ...sources.map((name) => `src/${name}`)]) {
    digest.update(`${file}\0`).update(readFileSync(join(NATIVE_DIRECTORY, file)));
  }
  return digest.digest('hex');
}
