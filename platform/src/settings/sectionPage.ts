import { environmentName } from './overrides.ts';
import { BASE_SECTION, formatInLine, type Section, type Setting, settingName } from './setting.ts';

export interface SectionPageOptions {
  readonly title?: string | undefined;
  /** Prefix of the environment variables, when there are any. */
  readonly prefix?: string | undefined;
}

/** A section of a table as Markdown: a heading and a row for each key. */
export function sectionPage(name: string, section: Section, { title, prefix }: SectionPageOptions): string {
  const heading = name === BASE_SECTION ? 'Above the first section' : `\`[${name}]\``;
  const columns = [
    'Key',
    'Type',
    'Default',
    'Rule',
    'Meaning',
    ...(prefix === undefined ? [] : ['Environment']),
  ];
  const rows = Object.entries(section).map(([key, setting]) =>
    row(
      key,
      setting as Setting<unknown>,
      prefix === undefined ? undefined : environmentName(prefix, settingName(name, key)),
    ),
  );
  const table = [`| ${columns.join(' | ')} |`, `|${columns.map(() => '---').join('|')}|`, ...rows].join('\n');
  return `### ${heading}\n${title === undefined ? '' : `${title}.\n`}\n${table}\n`;
}

function row(key: string, setting: Setting<unknown>, variable: string | undefined): string {
  const rule = [setting.unit, setting.rule].filter((fact) => fact !== undefined && fact !== '').join('; ');
  const cells = [`\`${key}\``, setting.type, defaults(setting), rule, meaning(setting)];
  if (variable !== undefined) cells.push(`\`${variable}\``);
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function meaning({ about, inert }: Setting<unknown>): string {
  return inert ? `${about}. No effect in this release` : about;
}

function defaults(setting: Setting<unknown>): string {
  const show = (value: unknown): string => `\`${formatInLine(setting, value)}\``;
  const others = Object.entries(setting.defaultByMode).map(([mode, value]) => `${mode}: ${show(value)}`);
  return [show(setting.default), ...others].join('; ');
}
