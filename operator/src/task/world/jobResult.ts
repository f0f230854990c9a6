import { oneLine, parseJson } from '@chain/platform';
import type { BackupFacts, JobResult } from '../../plan/index.ts';

type Json = Readonly<Record<string, unknown>>;

/** As many entries, and as long, as a status can hold. */
const MAX_ITEMS = 32;
const LONG = 512;
const SEALED = 65_536;

/**
 * What a Job's container left when it ended: JSON of `--result-file`, of which only members that are known are taken,
 * each within the bounds of the status. `undefined` for other text.
 */
export function parseJobResult(text: string): JobResult | undefined {
  const given = jsonIn(text);
  if (given === undefined) return undefined;
  const { error, sealedKeys } = given;
  const backup = isObject(given.backup) ? backupIn(given.backup) : undefined;
  const trust = isObject(given.trust) ? trustIn(given.trust) : undefined;
  const checks = Array.isArray(given.checks) ? given.checks.slice(0, MAX_ITEMS).flatMap(checkIn) : undefined;
  return {
    ...(typeof error === 'string' && { error: oneLine(error, 2 * LONG) }),
    ...(typeof sealedKeys === 'string' && sealedKeys.length <= SEALED && { sealedKeys }),
    ...(backup && { backup }),
    ...(trust && { trust }),
    ...(checks && { checks }),
  };
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const line = (value: unknown, most = LONG): string => (typeof value === 'string' ? oneLine(value, most) : '');

function jsonIn(text: string): Json | undefined {
  try {
    const value: unknown = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function backupIn({ path, manifestSha256, files }: Json): BackupFacts | undefined {
  if (typeof path !== 'string' || typeof manifestSha256 !== 'string') return undefined;
  const listed = Array.isArray(files) ? files.filter(isObject).slice(0, MAX_ITEMS) : [];
  return {
    path: line(path),
    manifestSha256: line(manifestSha256, 64),
    files: listed.map((file) => ({ path: line(file.path), sha256: line(file.sha256, 64) })),
  };
}

function trustIn({ height, hash }: Json): JobResult['trust'] | undefined {
  if (!Number.isSafeInteger(height) || typeof hash !== 'string') return undefined;
  return { height: height as number, hash: line(hash, 64) };
}

function checkIn(entry: unknown): NonNullable<JobResult['checks']>[number][] {
  if (!isObject(entry) || typeof entry.ok !== 'boolean') return [];
  return [{ name: line(entry.name, 128), ok: entry.ok, detail: line(entry.detail, 2 * LONG) }];
}
