import { join } from 'node:path';
import { writeFileDurably } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import type { AppConfig } from '../appSettings/appTable.ts';
import { editAppToml } from '../editSettings.ts';
import { type NodeConfig, parseAppToml } from '../loadConfig.ts';
import { readHomeFile } from '../readHomeFile.ts';

/** How the data of a home are laid out. */
const LAYOUT = [
  ['state-store', 'ss-backend'],
  ['state-store', 'evm-ss-split'],
  ['state-store', 'evm-ss-separate-dbs'],
  ['state-store', 'ss-db-directory'],
  ['state-store', 'evm-ss-db-directory'],
  ['state-commit', 'sc-directory'],
] as const;

/** An app.toml with the layout of `app`, and the names of the settings that it had otherwise. */
export function withLayoutOf(app: AppConfig, text: string): { text: string; changed: readonly string[] } {
  const before = parseAppToml(text);
  const other = LAYOUT.filter((name) => valueIn(before, name) !== valueIn(app, name));
  const values = Object.fromEntries(other.map((name) => [name.join('.'), valueIn(app, name)]));
  return { text: editAppToml(text, values), changed: Object.keys(values) };
}

/**
 * Writes into app.toml the layout that flags or the environment chose for data that are about to be made: a start
 * without them would look for other data. Gives the names of the settings that were changed.
 */
export async function keepLayout({ home, app }: NodeConfig): Promise<readonly string[]> {
  const { text, changed } = withLayoutOf(app, await readHomeFile(home, CONFIG_FILES.appToml));
  if (changed.length > 0) await writeFileDurably(join(home, CONFIG_FILES.appToml), text, 0o644);
  return changed;
}

function valueIn(app: AppConfig, [section, key]: (typeof LAYOUT)[number]): unknown {
  return (app[section] as Readonly<Record<string, unknown>>)[key];
}
