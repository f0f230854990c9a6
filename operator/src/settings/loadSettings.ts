import {
  type EnvironmentNames,
  findingsError,
  readEnvironment,
  readFlags,
  settle,
} from '@chain/platform/settings';
import { OPERATOR_TABLE, type OperatorSettings } from './operatorTable.ts';

const ENVIRONMENT: EnvironmentNames = { prefix: 'CHAIN_OPERATOR_', reserved: [] };

export interface SettingsSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** By setting name, such as `controller.concurrency`; win over the environment. */
  readonly flags: Readonly<Record<string, string>>;
}

/** Throws CONFIG_INVALID with a line for every wrong key. */
export function loadSettings({ environment, flags }: SettingsSources): {
  readonly settings: OperatorSettings;
  readonly warnings: readonly string[];
} {
  const reads = [
    readEnvironment(OPERATOR_TABLE, environment, ENVIRONMENT),
    readFlags(OPERATOR_TABLE, flags, '"chain-operator --help"'),
  ];
  const findings = reads.flatMap((read) => read.findings);
  if (findings.length > 0) throw findingsError(findings);
  const given = new Map(reads.flatMap((read) => [...read.given]));
  const settings = settle(OPERATOR_TABLE, given, '') as OperatorSettings;
  return { settings, warnings: reads.flatMap((read) => read.warnings) };
}
