import { formatDuration } from '@chain/platform/settings';
import { COMET_TABLE, type CometConfig } from './cometSettings.ts';

/**
 * Peers and state sync as variables of CometBFT's, for it reads config.toml itself and would not know what flags and
 * the environment say over it.
 */
export function cometEnvironment(comet: CometConfig): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const section of ['p2p', 'statesync'] as const) {
    for (const [key, { type }] of Object.entries(COMET_TABLE[section])) {
      const value = (comet[section] as Readonly<Record<string, unknown>>)[key];
      const text = type === 'duration' ? formatDuration(value as number) : String(value);
      variables[`CMT_${section}_${key}`.toUpperCase()] = text;
    }
  }
  return variables;
}
