import { sectionPage, writeSettings } from '@chain/platform/settings';
import { ENVIRONMENT } from './loadSettings.ts';
import { OPERATOR_TABLE, SECTION_TITLES } from './operatorTable.ts';

const INTRODUCTION = `# Settings of chain-operator
Generated from the table in \`operator/src/settings\`; do not edit.

A value is taken from a flag (\`chain-operator --controller.concurrency=8\`), else from the environment
(\`CHAIN_OPERATOR_CONTROLLER_CONCURRENCY=8\`), else from the TOML file of \`--config\`, else it is the default. Unknown
keys and values are refused, one line each; \`chain-operator check\` only checks. All are taken at the start.
`;

/** docs/reference/operator.md. */
export function operatorReference(): string {
  return [
    INTRODUCTION,
    ...Object.entries(OPERATOR_TABLE).map(([name, section]) =>
      sectionPage(name, section, {
        title: SECTION_TITLES[name as keyof typeof SECTION_TITLES],
        prefix: ENVIRONMENT.prefix,
      }),
    ),
  ].join('\n');
}

/** A complete file; `values` by setting name replace the defaults. */
export function operatorToml(values: ReadonlyMap<string, unknown> = new Map()): string {
  return writeSettings(OPERATOR_TABLE, SECTION_TITLES, {
    head: 'Settings of chain-operator. A key left out has its default.',
    mode: '',
    values,
  });
}
