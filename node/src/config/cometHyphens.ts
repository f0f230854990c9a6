import { eachSetting } from '@chain/platform/settings';
import { COMET_TABLE } from './cometSettings.ts';

const KEY_LINE = /^(\s*)([A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)+)(\s*=)/;

export interface HyphenResult {
  readonly text: string;
  readonly warnings: readonly string[];
}

/**
 * Rewrites hyphened keys of config.toml (`persistent-peers`) as CometBFT spells them. Only keys that exist
 * with underscores are touched; CometBFT itself hyphens two, which stay.
 */
export function rewriteHyphens(text: string): HyphenResult {
  const known = new Set([...eachSetting(COMET_TABLE)].map(([, key]) => key));
  const warnings: string[] = [];
  const lines = text.split('\n').map((line) => {
    const [, indent, key, rest] = KEY_LINE.exec(line) ?? [];
    const renamed = key?.replaceAll('-', '_');
    if (key === undefined || renamed === undefined || known.has(key) || !known.has(renamed)) return line;
    warnings.push(`config.toml: ${key} is spelled ${renamed}; taken as that`);
    return `${indent}${renamed}${rest}${line.slice(`${indent}${key}${rest}`.length)}`;
  });
  return { text: lines.join('\n'), warnings };
}
