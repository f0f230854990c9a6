import { readFile } from 'node:fs/promises';
import { CodedError } from '@chain/platform';
import {
  type EnvironmentNames,
  type Finding,
  findingsError,
  type OverrideResult,
  parseToml,
  readEnvironment,
  readFlags,
  readSettings,
  settle,
} from '@chain/platform/settings';
import { OPERATOR_TABLE, type OperatorSettings } from './operatorTable.ts';

/** CHAIN_OPERATOR_CONFIG names the file. */
export const ENVIRONMENT: EnvironmentNames = {
  prefix: 'CHAIN_OPERATOR_',
  reserved: ['CHAIN_OPERATOR_CONFIG'],
};

interface SettingsSources {
  /** Path of a TOML file; none: defaults. */
  readonly file: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** By setting name, such as `controller.concurrency`; win over the environment, which wins over the file. */
  readonly flags: Readonly<Record<string, string>>;
}

/** Throws OPERATOR_CONFIG_MISSING, CONFIG_SYNTAX, or CONFIG_INVALID with a line for every wrong key. */
export async function loadSettings(sources: SettingsSources): Promise<{
  readonly settings: OperatorSettings;
  readonly warnings: readonly string[];
}> {
  const { file, environment, flags } = sources;
  const reads: OverrideResult[] = [
    ...(file === undefined ? [] : [await readConfigFile(file)]),
    readEnvironment(OPERATOR_TABLE, withoutServiceLinks(environment), ENVIRONMENT),
    readFlags(OPERATOR_TABLE, flags, '"chain-operator --help"'),
  ];
  const given = new Map(reads.flatMap((read) => [...read.given]));
  const settings = settle(OPERATOR_TABLE, given, '') as OperatorSettings;
  const findings: Finding[] = [...reads.flatMap((read) => read.findings), ...checkTogether(settings)];
  if (findings.length > 0) throw findingsError(findings);
  return { settings, warnings: reads.flatMap((read) => read.warnings) };
}

/** What Kubernetes itself says of a Service named chain-operator: CHAIN_OPERATOR_SERVICE_HOST, CHAIN_OPERATOR_PORT. */
function withoutServiceLinks(environment: SettingsSources['environment']): SettingsSources['environment'] {
  const link = /^CHAIN_OPERATOR_(SERVICE_|PORT(_|$))/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !link.test(name)));
}

function checkTogether(settings: OperatorSettings): Finding[] {
  const { admin, 'status-page': page, 'leader-election': election } = settings;
  const findings: Finding[] = [];
  const refuse = (key: string, value: unknown, [problem, remedy]: readonly [string, string]): void => {
    findings.push({ source: 'settings', key, value, problem, remedy });
  };
  if (page.enabled && page.port !== 0 && page.port === admin.port && page.address === admin.address) {
    refuse('status-page.port', page.port, ['admin.port is the same', 'write another']);
  }
  if (election['renew-deadline'] >= election['lease-duration']) {
    refuse('leader-election.renew-deadline', `${election['renew-deadline']}ms`, [
      'not shorter than leader-election.lease-duration: two could lead at once',
      'write a shorter time',
    ]);
  }
  if (election['retry-period'] >= election['renew-deadline']) {
    refuse('leader-election.retry-period', `${election['retry-period']}ms`, [
      'not shorter than leader-election.renew-deadline',
      'write a shorter time',
    ]);
  }
  return findings;
}

async function readConfigFile(file: string): Promise<OverrideResult> {
  let content: string;
  try {
    content = await readFile(file, 'utf8');
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new CodedError(
      'OPERATOR_CONFIG_MISSING',
      `cannot read ${file} (${reason}); give --config a readable file, or leave it out for the defaults`,
      { fields: { file, reason }, cause },
    );
  }
  return readSettings(file, parseToml(file, content), OPERATOR_TABLE, { retired: {}, withoutEffect: [] });
}
