import { APP_TABLE, SECTION_TITLES } from './appSettings/appTable.ts';
import { COMET_TABLE } from './cometSettings.ts';
import { environmentName } from './overrides.ts';
import { BASE_SECTION, type Section, type Setting, settingName } from './setting.ts';

const INTRODUCTION = `# Configuration
Generated from the tables in \`node/src/config\`; do not edit.

A home has two files: \`config/app.toml\`, this program's, and \`config/config.toml\`, CometBFT v0.38's. A value is
taken from a flag (\`chaind start --set evm.http_port=9545\`), else from the environment
(\`CHAIND_EVM_HTTP_PORT=9545\`), else from app.toml, else it is the default. Keys that are absent keep their
defaults. Unknown keys, unknown values and negative sizes are refused at start, one line each.
`;

/** docs/reference/config.md. */
export function configReference(): string {
  return [
    INTRODUCTION,
    '## app.toml\n',
    ...Object.entries(APP_TABLE).map(([name, section]) =>
      sectionPage(name, section, SECTION_TITLES[name as keyof typeof SECTION_TITLES], true),
    ),
    '## config.toml\nSpelled with underscores; hyphens are accepted with a warning.\n',
    ...Object.entries(COMET_TABLE).map(([name, section]) => sectionPage(name, section, undefined, false)),
  ].join('\n');
}

function sectionPage(
  name: string,
  section: Section,
  title: string | undefined,
  withVariables: boolean,
): string {
  const heading = name === BASE_SECTION ? 'Above the first section' : `\`[${name}]\``;
  const columns = ['Key', 'Type', 'Default', 'Rule', 'Meaning', ...(withVariables ? ['Environment'] : [])];
  const rows = Object.entries(section).map(([key, setting]) =>
    row(
      key,
      setting as Setting<unknown>,
      withVariables ? environmentName(settingName(name, key)) : undefined,
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
  const show = (value: unknown): string =>
    `\`${setting
      .format(value)
      .replaceAll(/\s*\n\s*/g, ' ')
      .replace(', ]', ' ]')}\``;
  const others = Object.entries(setting.defaultByMode).map(([mode, value]) => `${mode}: ${show(value)}`);
  return [show(setting.default), ...others].join('; ');
}
