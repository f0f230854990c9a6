import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sealTo } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import type { BackupRecord } from './manifest.ts';

/** Small enough for a termination message; genesis is public, settings are not a node's identity. */
const SEALED = [CONFIG_FILES.validatorKey, CONFIG_FILES.validatorState, CONFIG_FILES.nodeKey] as const;

/** The keys of a verified backup, as JSON by path, for the holder of one private key alone; base64. */
export async function sealKeys(backup: BackupRecord, publicKey: Uint8Array): Promise<string> {
  const files = await Promise.all(
    SEALED.map(async (path) => [path, await readFile(join(backup.directory, path), 'utf8')]),
  );
  const text = JSON.stringify(Object.fromEntries(files));
  return Buffer.from(sealTo(publicKey, Buffer.from(text))).toString('base64');
}
