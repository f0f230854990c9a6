import {
  type LoadedSettings,
  loadProgramSettings,
  type SettingsProgram,
  type SettingsSources,
} from '@chain/platform/program';
import type { Finding } from '@chain/platform/settings';
import { OPERATOR_TABLE, type OperatorSettings, SECTION_TITLES } from './operatorTable.ts';

export const OPERATOR: SettingsProgram<OperatorSettings> = {
  name: 'chain-operator',
  table: OPERATOR_TABLE,
  titles: SECTION_TITLES,
  // What Kubernetes itself says of a Service named chain-operator.
  foreignVariables: /^CHAIN_OPERATOR_(SERVICE_|PORT(_|$))/,
  checkTogether,
};

/** Throws CONFIG_MISSING, CONFIG_SYNTAX, or CONFIG_INVALID with a line for every wrong key. */
export function loadSettings(sources: SettingsSources): Promise<LoadedSettings<OperatorSettings>> {
  return loadProgramSettings(OPERATOR, sources);
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
