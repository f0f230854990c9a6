import type { Check } from './checks.ts';
import type { Journal, StepName } from './journal.ts';
import type { Migration } from './migration.ts';
import { migrationErrors } from './migrationErrors.ts';
import type { MigrationReport } from './verify/report.ts';

/** What a program that runs steps is told, in at most 4 KiB of JSON; never a key that others can read. */
export interface JobResult {
  readonly id: string;
  readonly outcome: Journal['outcome'] | 'none';
  /** Of the first step that failed. */
  readonly error?: string;
  readonly backup?: {
    /** Inside the home. */
    readonly path: string;
    readonly manifestSha256: string;
    readonly files: readonly { readonly path: string; readonly sha256: string }[];
  };
  readonly trust?: { readonly height: number; readonly hash: string };
  /** Keys of the backup, for the holder of `--seal-keys-to`'s private key; base64. */
  readonly sealedKeys?: string;
  readonly checks?: readonly Check[];
}

/**
 * Steps for a program that may ask twice: what has come to its end under the same id is done. Throws MIGRATE_NONE
 * when the home's migration is another one.
 */
export async function runAsJob(
  migration: Pick<Migration, 'status' | 'runStep' | 'abort'>,
  { id, steps }: { readonly id: string; readonly steps: readonly (StepName | 'abort')[] },
): Promise<MigrationReport | undefined> {
  let report: MigrationReport | undefined;
  for (const step of steps) report = (await runOne(migration, id, step)) ?? report;
  return report;
}

async function runOne(
  migration: Pick<Migration, 'status' | 'runStep' | 'abort'>,
  id: string,
  step: StepName | 'abort',
): Promise<MigrationReport | undefined> {
  const journal = await migration.status();
  const isOurs = journal?.id === id;
  if (step === 'abort') {
    if (isOurs && journal.outcome === 'running') await migration.abort();
    return undefined;
  }
  if (isOurs && journal.outcome === 'migrated') return undefined;
  if (step !== 'preflight' && !isOurs) {
    throw migrationErrors.none(
      `the migration of this home is ${journal?.id ?? 'none'}, not ${id}; begin with the step "preflight"`,
      { id },
    );
  }
  const outcome = await migration.runStep(step);
  if (typeof outcome !== 'object') return undefined;
  if (!outcome.verified) throw differs(outcome.checks);
  return outcome;
}

function differs(checks: readonly Check[]) {
  const wrong = checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`);
  return migrationErrors.verify(
    `the node differs from those that are trusted; ${wrong.join('; ')}; look at the report, then sync it anew`,
  );
}

const MAX_BYTES = 4096;
const LONG = 160;

/** Short enough for a container's termination message. */
export function jobResult(
  journal: Journal | undefined,
  files: Readonly<Record<string, string>>,
  {
    error,
    checks = [],
    home,
    sealedKeys,
  }: { error?: string; checks?: readonly Check[]; home: string; sealedKeys?: string | undefined },
): string {
  const { backup, trust } = journal ?? {};
  const result: JobResult = {
    id: journal?.id ?? '',
    outcome: journal?.outcome ?? 'none',
    ...(error !== undefined && { error: error.slice(0, 1500) }),
    ...(backup && {
      backup: {
        path: backup.directory.replace(`${home}/`, ''),
        manifestSha256: backup.digest,
        files: Object.entries(files).map(([path, sha256]) => ({ path, sha256 })),
      },
    }),
    ...(trust && { trust: { height: trust.height, hash: trust.hash } }),
    ...(sealedKeys !== undefined && { sealedKeys }),
  };
  const shortened = checks.map((check) => ({ ...check, detail: check.detail.slice(0, LONG) }));
  const whole = JSON.stringify({ ...result, ...(shortened.length > 0 && { checks: shortened }) });
  return Buffer.byteLength(whole) <= MAX_BYTES ? whole : JSON.stringify(result);
}
