import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '@chain/platform';
import { readNodeKey, readSignState, readValidatorKey } from '../../keys/index.ts';
import { bytesToHex, sha256 } from '../../primitives/index.ts';
import { IDENTITY_FILES, SETTINGS_FILES } from '../layout.ts';
import { migrationErrors } from '../migrationErrors.ts';

/** Beside the copies: what was copied, and what each copy must hash to. */
export interface BackupManifest {
  readonly format: 1;
  readonly home: string;
  readonly takenAt: string;
  /** SHA-256 in hex, by path inside the home. */
  readonly files: Readonly<Record<string, string>>;
}

/** A backup that the journal believes in; it is never changed, only replaced by a later one beside it. */
export interface BackupRecord {
  readonly directory: string;
  /** SHA-256 of the manifest, hex. */
  readonly digest: string;
}

export const MANIFEST = 'manifest.json';
export const BACKED_UP: readonly string[] = [...IDENTITY_FILES, ...SETTINGS_FILES];

export const digestOf = (bytes: Uint8Array): string => bytesToHex(sha256(bytes));

/**
 * Reads every copy again, compares it with the manifest, and the manifest with its digest; keys must be keys. Throws
 * MIGRATE_BACKUP: without this no file of the home is deleted.
 */
export async function verifyBackup({ directory, digest }: BackupRecord): Promise<BackupManifest> {
  const text = await read(join(directory, MANIFEST));
  if (digestOf(text) !== digest) {
    throw damaged(join(directory, MANIFEST), 'is not the manifest that was written');
  }
  const manifest = parse(directory, text);
  for (const file of BACKED_UP) {
    const expected = manifest.files[file];
    const path = join(directory, file);
    if (expected === undefined) throw damaged(path, 'is not in the manifest');
    if (digestOf(await read(path)) !== expected) throw damaged(path, 'differs from its hash in the manifest');
  }
  await requireKeys(directory);
  return manifest;
}

/** Throws KEYS_FILE_INVALID when one of the files that make a node itself is no such file. */
export async function requireKeys(directory: string): Promise<void> {
  const [state, validator, , nodeKey] = IDENTITY_FILES;
  await readSignState(join(directory, state));
  await readValidatorKey(join(directory, validator));
  await readNodeKey(join(directory, nodeKey));
}

async function read(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw damaged(path, `cannot be read (${(cause as NodeJS.ErrnoException).code})`, cause);
  }
}

function parse(directory: string, text: Uint8Array): BackupManifest {
  try {
    const manifest = parseJson(text) as BackupManifest;
    if (manifest.format === 1 && typeof manifest.files === 'object') return manifest;
  } catch (cause) {
    throw damaged(join(directory, MANIFEST), 'is not JSON', cause);
  }
  throw damaged(join(directory, MANIFEST), 'is no manifest of a backup');
}

function damaged(path: string, why: string, cause?: unknown) {
  return migrationErrors.backup(
    `the backup is not whole: ${path} ${why}; run the step "backup" again while the files of the home are there, and delete nothing by hand`,
    { path },
    cause,
  );
}
