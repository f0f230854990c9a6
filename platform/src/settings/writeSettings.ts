import { BASE_SECTION, type Setting, type SettingTable, settingName } from './setting.ts';

const WIDTH = 100;

/**
 * Writes a file by its table: every key with what it is, its rule and a value. `values`, by setting name,
 * replace the defaults of `mode`.
 */
export function writeSettings(
  table: SettingTable,
  titles: Readonly<Record<string, string>>,
  options: { readonly head: string; readonly mode: string; readonly values?: ReadonlyMap<string, unknown> },
): string {
  const parts = [comment(options.head)];
  for (const [section, settings] of Object.entries(table)) {
    const title = titles[section];
    parts.push(
      `\n${title === undefined ? '' : `### ${title}\n`}${section === BASE_SECTION ? '' : `[${section}]\n`}`,
    );
    for (const [key, setting] of Object.entries(settings) as [string, Setting<unknown>][]) {
      if (setting.inert) continue;
      const name = settingName(section, key);
      const value = options.values?.has(name)
        ? options.values.get(name)
        : (setting.defaultByMode[options.mode] ?? setting.default);
      parts.push(`\n${comment(explain(setting))}${key} = ${setting.format(value)}\n`);
    }
  }
  return parts.join('');
}

function explain({ about, unit, rule }: Setting<unknown>): string {
  const facts = [unit, rule].filter((fact) => fact !== undefined && fact !== '').join('; ');
  return `${about}${facts === '' ? '.' : ` (${facts}).`}`.replaceAll('`', '');
}

function comment(text: string): string {
  const lines: string[] = [];
  let line = '#';
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = '#';
    }
    line += ` ${word}`;
  }
  return `${[...lines, line].join('\n')}\n`;
}
