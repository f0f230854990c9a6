import { closestName } from './closestName.ts';
import type { Finding } from './findings.ts';
import { refused } from './readSettings.ts';
import { eachSetting, Refusal, type Setting, type SettingTable, settingName } from './setting.ts';

/** How a program's settings are named in its environment. */
export interface EnvironmentNames {
  /** Such as `CHAIND_`. */
  readonly prefix: string;
  /** Variables with the prefix that the command line itself reads. */
  readonly reserved: readonly string[];
}

/** With the prefix `CHAIND_`, `state-store.ss-backend` is `CHAIND_STATE_STORE_SS_BACKEND`. */
export function environmentName(prefix: string, name: string): string {
  return `${prefix}${name.replaceAll(/[.-]/g, '_').toUpperCase()}`;
}

export interface OverrideResult {
  readonly given: Map<string, unknown>;
  readonly findings: Finding[];
  readonly warnings: string[];
}

/**
 * Settings from environment variables. An unknown name with the prefix is a warning, not an error: Kubernetes adds
 * variables named after Services.
 */
export function readEnvironment(
  table: SettingTable,
  environment: Readonly<Record<string, string | undefined>>,
  { prefix, reserved }: EnvironmentNames,
): OverrideResult {
  const byVariable = new Map(
    [...namedSettings(table)].map(([name, it]) => [environmentName(prefix, name), { name, it }]),
  );
  const result: OverrideResult = { given: new Map(), findings: [], warnings: [] };
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(prefix) || text === undefined || reserved.includes(variable)) continue;
    const found = byVariable.get(variable);
    if (found) take(result, `environment ${variable}`, { ...found, text });
    else {
      const guess = closestName(variable, byVariable.keys());
      result.warnings.push(
        `environment: ${variable} names no setting${guess ? `; did you mean ${guess}?` : ''}`,
      );
    }
  }
  return result;
}

/** Settings from flags, by setting name (`state-store.ss-backend`). An unknown name is refused, and `listing` says where all are. */
export function readFlags(
  table: SettingTable,
  flags: Readonly<Record<string, string>>,
  listing: string,
): OverrideResult {
  const settings = new Map(namedSettings(table));
  const result: OverrideResult = { given: new Map(), findings: [], warnings: [] };
  for (const [name, text] of Object.entries(flags)) {
    const it = settings.get(name);
    if (it) take(result, 'flag', { name, it, text });
    else {
      const guess = closestName(name, settings.keys());
      const remedy = guess ? `did you mean ${guess}?` : `see ${listing}`;
      result.findings.push({ source: 'flag', key: name, problem: 'unknown key', remedy });
    }
  }
  return result;
}

function* namedSettings(table: SettingTable): Generator<[string, Setting<unknown>]> {
  for (const [section, key, it] of eachSetting(table)) yield [settingName(section, key), it];
}

function take(
  result: OverrideResult,
  source: string,
  { name, it, text }: { name: string; it: Setting<unknown>; text: string },
): void {
  const parsed = it.parseText(text);
  if (parsed instanceof Refusal) result.findings.push(refused(source, name, text, parsed));
  else result.given.set(name, parsed);
}
