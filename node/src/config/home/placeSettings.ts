import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, messageOf, pathExists, writeFileDurably } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { completeConfigToml, editConfigToml } from '../editSettings.ts';
import { parseAppToml, parseConfigToml } from '../loadConfig.ts';
import { withLayoutOf } from './layoutSettings.ts';

const JOURNAL = 'migration/journal.json';

/** Texts of both files. */
export interface SettingsPair {
  readonly appToml: string;
  readonly configToml: string;
}

/**
 * Puts `app.toml` and `config.toml` of a directory in the place of the home's own; whichever is missing stays as it is.
 * Two things are the home's: the layout of its data (backend, split, directories), once it has data, and a state sync
 * that it is set to. Gives the files that have changed. Throws CONFIG_GIVEN_FILE, CONFIG_SYNTAX, CONFIG_INVALID; nothing
 * is written then.
 */
export async function placeSettings(home: string, directory: string): Promise<string[]> {
  const own = {
    appToml: await readFile(join(home, CONFIG_FILES.appToml), 'utf8'),
    configToml: await readFile(join(home, CONFIG_FILES.configToml), 'utf8'),
  };
  const given = {
    appToml: (await givenText(directory, 'app.toml')) ?? own.appToml,
    configToml: (await givenText(directory, 'config.toml')) ?? own.configToml,
  };
  const placed = joinSettings(own, given, await hasLayout(home));
  const changed: string[] = [];
  for (const key of ['appToml', 'configToml'] as const) {
    if (placed[key] === own[key]) continue;
    await writeFileDurably(join(home, CONFIG_FILES[key]), placed[key], 0o644);
    changed.push(CONFIG_FILES[key]);
  }
  return changed;
}

/** `given`, with what stays the home's. Throws CONFIG_SYNTAX, CONFIG_INVALID for either. */
function joinSettings(own: SettingsPair, given: SettingsPair, keepLayout: boolean): SettingsPair {
  // Also where nothing of the home's stays: what is placed must be right.
  parseAppToml(given.appToml);
  const wantedComet = parseConfigToml(given.configToml);
  // A home that has data knows better than who writes settings for it.
  const appToml = keepLayout ? withLayoutOf(parseAppToml(own.appToml), given.appToml).text : given.appToml;
  let configToml = completeConfigToml(given.configToml, wantedComet);
  const comet = parseConfigToml(own.configToml);
  if (comet.statesync.enable && !wantedComet.statesync.enable) {
    const sync = Object.entries(comet.statesync).map(([key, value]) => [`statesync.${key}`, value]);
    configToml = editConfigToml(configToml, {
      ...Object.fromEntries(sync),
      'p2p.persistent_peers': joinPeers(
        wantedComet.p2p.persistent_peers,
        comet.p2p.persistent_peers.split(','),
      ),
    });
  }
  return { appToml, configToml };
}

/** One entry an id; those named first win. */
export function joinPeers(named: string, others: readonly string[]): string {
  const byId = new Map<string, string>();
  for (const peer of [...named.split(','), ...others].map((it) => it.trim()).filter((it) => it !== '')) {
    const [id = ''] = peer.split('@');
    if (!byId.has(id)) byId.set(id, peer);
  }
  return [...byId.values()].join(',');
}

/** Data but for the sign state, or a migration that has taken them away. */
async function hasLayout(home: string): Promise<boolean> {
  if (await pathExists(join(home, JOURNAL))) return true;
  const names = await readdir(join(home, 'data')).catch(() => [] as string[]);
  return names.some((name) => `data/${name}` !== CONFIG_FILES.validatorState);
}

async function givenText(directory: string, name: string): Promise<string | undefined> {
  const path = join(directory, name);
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT' && (await pathExists(directory))) return undefined;
    throw new CodedError(
      'CONFIG_GIVEN_FILE',
      `${path} cannot be read: ${messageOf(cause)}; name a directory with app.toml and config.toml`,
      { fields: { path }, cause },
    );
  }
}
