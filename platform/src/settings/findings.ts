import { CodedError } from '../errors.ts';

/** What was found wrong with one key. */
export interface Finding {
  /** The file's name, `environment …` or `flag`. */
  readonly source: string;
  readonly key: string;
  /** Absent where the key itself is the problem. */
  readonly value?: unknown;
  readonly problem: string;
  readonly remedy: string;
}

/** One line: source, key, value, problem, what to write instead. */
function describeFinding({ source, key, value, problem, remedy }: Finding): string {
  const shown = value === undefined ? '' : ` = ${show(value)}`;
  return `${source}: ${key}${shown}: ${problem}; ${remedy}`;
}

/** One error for all that was found, a line each. */
export function findingsError(findings: readonly Finding[]): CodedError<'CONFIG_INVALID'> {
  return new CodedError('CONFIG_INVALID', findings.map(describeFinding).join('\n'), {
    fields: { count: findings.length, key: findings[0]?.key },
  });
}

function show(value: unknown): string {
  const text =
    JSON.stringify(value, (_key, it) => (typeof it === 'bigint' ? it.toString() : it)) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
