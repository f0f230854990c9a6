import {
  type LoadedSettings,
  loadProgramSettings,
  type SettingsProgram,
  type SettingsSources,
} from '@chain/platform/program';
import { checkTogether } from './checkTogether.ts';
import { LIMITER_TABLE, type LimiterSettings, SECTION_TITLES } from './limiterTable.ts';

export const LIMITER: SettingsProgram<LimiterSettings> = {
  name: 'chain-rate-limiter',
  table: LIMITER_TABLE,
  titles: SECTION_TITLES,
  checkTogether,
};

/** Throws CONFIG_MISSING, CONFIG_SYNTAX, or CONFIG_INVALID with a line for every wrong key. */
export function loadSettings(sources: SettingsSources): Promise<LoadedSettings<LimiterSettings>> {
  return loadProgramSettings(LIMITER, sources);
}
