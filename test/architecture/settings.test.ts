import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eachSetting } from '@chain/platform/settings';
import { describe, expect, it } from 'vitest';
import { APP_TABLE } from '../../node/src/config/index.ts';

const APP = 'node/src/app';
const wiring = readdirSync(APP, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(APP, file), 'utf8'))
  .join('\n');
/** Only checked while the file is read: what they say must be so. */
const JUDGED_BY_CONFIG = new Set(['sc-enable', 'ss-enable', 'mode']);
/** A property access, a quoted name, or a name in a pattern. */
const read = (key: string) => new RegExp(`([.']|\\{ )${key}\\b`);
const settings = [...eachSetting(APP_TABLE)].filter(([, key]) => !JUDGED_BY_CONFIG.has(key));

describe('every setting of app.toml', () => {
  it.each(settings.filter(([, , { inert }]) => !inert))('[%s] %s is read by the wiring', (_section, key) => {
    expect(wiring).toMatch(read(key));
  });

  it.each(settings.filter(([, , { inert }]) => inert))(
    '[%s] %s, which is called inert, is not',
    (_section, key) => {
      expect(wiring).not.toMatch(read(key));
    },
  );
});
