import { closestName } from './closestName.ts';
import type { Finding } from './findings.ts';
import { refused } from './readSettings.ts';
import { eachSetting, Refusal, type Setting, type SettingTable, settingName } from './setting.ts';

const PREFIX = 'CHAIND_';
/** Read by the command line itself. */
const RESERVED = ['CHAIND_HOME', 'CHAIND_DEBUG'];

/** `state-store.ss-backend` is `CHAIND_STATE_STORE_SS_BACKEND`. */
export function environmentName(name: string): string {
  return `${PREFIX}${name.replaceAll(/[.-]/g, '_').toUpperCase()}`;
}

export interface OverrideResult {
  readonly given: Map<string, unknown>;
  readonly findings: Finding[];
  readonly warnings: string[];
}

/**
 * Settings from environment variables. An unknown `CHAIND_…` is a warning, not an error: Kubernetes adds
 * variables named after Services.
 */
export function readEnvironment(
  table: SettingTable,
  environment: Readonly<Record<string, string | undefined>>,
): OverrideResult {
  const byVariable = new Map(
    [...namedSettings(table)].map(([name, it]) => [environmentName(name), { name, it }]),
  );
  const result: OverrideResult = { given: new Map(), findings: [], warnings: [] };
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(PREFIX) || text === undefined || RESERVED.includes(variable)) continue;
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

/** Settings from flags, by setting name (`state-store.ss-backend`). An unknown name is refused. */
export function readFlags(table: SettingTable, flags: Readonly<Record<string, string>>): OverrideResult {
  const settings = new Map(namedSettings(table));
  const result: OverrideResult = { given: new Map(), findings: [], warnings: [] };
  for (const [name, text] of Object.entries(flags)) {
    const it = settings.get(name);
    if (it) take(result, 'flag', { name, it, text });
    else {
      const guess = closestName(name, settings.keys());
      const remedy = guess ? `did you mean ${guess}?` : 'see "chaind config keys"';
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
