import { stat } from 'node:fs/promises';
import type { Logger } from '@chain/platform';
import type { SettingsSources } from '@chain/platform/program';
import { eachSetting, settingName } from '@chain/platform/settings';
import { FIXED_SETTINGS, LIMITER_TABLE, type LimiterSettings } from './limiterTable.ts';
import { loadSettings } from './loadSettings.ts';

const LOOK_MS = 1_000;

export interface LiveSettingsDeps {
  readonly logger: Logger;
  /** Told of settings that are in force from now on. */
  readonly onChange: (settings: LimiterSettings) => void;
  /** Told of each attempt to load them anew. */
  readonly onReload: (ok: boolean) => void;
}

/**
 * Settings that follow their file. It is looked at by its status, for a mounted ConfigMap changes by a link that is
 * swapped, which no watcher of the file sees. A file with faults changes nothing.
 */
export class LiveSettings {
  readonly #sources: SettingsSources;
  readonly #deps: LiveSettingsDeps;
  readonly #timer: NodeJS.Timeout | undefined;
  #current: LimiterSettings;
  #seen: string | undefined;
  #loading: Promise<void> = Promise.resolve();

  constructor(sources: SettingsSources, current: LimiterSettings, deps: LiveSettingsDeps) {
    this.#sources = sources;
    this.#current = current;
    this.#deps = deps;
    const { file } = sources;
    if (file === undefined) return;
    this.#loading = this.#fingerprint(file).then((seen) => {
      this.#seen = seen;
    });
    this.#timer = setInterval(() => void this.#look(file), LOOK_MS).unref();
  }

  /** Loads them now, one attempt after another. */
  reload(): Promise<void> {
    this.#loading = this.#loading.then(() => this.#load());
    return this.#loading;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(file: string): Promise<void> {
    await this.#loading;
    const seen = await this.#fingerprint(file);
    if (seen === this.#seen) return;
    this.#seen = seen;
    await this.reload();
  }

  async #fingerprint(file: string): Promise<string> {
    const status = await stat(file).catch(() => undefined);
    return status ? `${status.ino} ${status.mtimeMs} ${status.size}` : 'absent';
  }

  async #load(): Promise<void> {
    const { logger, onChange, onReload } = this.#deps;
    try {
      const { settings, warnings } = await loadSettings(this.#sources);
      for (const warning of warnings) logger.warn('Configuration', { warning });
      const changed = changedNames(this.#current, settings);
      const waiting = changed.filter((name) => FIXED_SETTINGS.includes(name));
      if (waiting.length > 0) logger.warn('Some changed settings need a restart', { settings: waiting });
      this.#current = settings;
      onChange(settings);
      onReload(true);
      logger.info('Configuration is loaded anew', { changed });
    } catch (error) {
      onReload(false);
      for (const line of String((error as Error).message).split('\n')) {
        logger.error('Configuration is not taken over, the old one stays in force', { reason: line });
      }
    }
  }
}

function changedNames(before: LimiterSettings, after: LimiterSettings): string[] {
  const value = (all: LimiterSettings, section: string, key: string): string =>
    JSON.stringify((all as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[section]?.[key]);
  return [...eachSetting(LIMITER_TABLE)]
    .filter(([section, key]) => value(before, section, key) !== value(after, section, key))
    .map(([section, key]) => settingName(section, key));
}
