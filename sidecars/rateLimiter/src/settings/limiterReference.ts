import { sectionPage, writeSettings } from '@chain/platform/settings';
import { FIXED_SETTINGS, LIMITER_TABLE, SECTION_TITLES } from './limiterTable.ts';
import { ENVIRONMENT } from './loadSettings.ts';

const INTRODUCTION = `# Settings of chain-rate-limiter
Generated from the table in \`sidecars/rateLimiter/src/settings\`; do not edit.

A value is taken from a flag (\`chain-rate-limiter --limit.burst=40\`), else from the environment
(\`CHAIN_RATE_LIMITER_LIMIT_BURST=40\`), else from the TOML file of \`--config\`, else it is the default. Unknown keys,
unknown values and negative sizes are refused, one line each; \`chain-rate-limiter check\` only checks. The file is
loaded anew when it changes, and on SIGHUP, without dropping a connection; a file with faults changes nothing. These
are taken at the start only: ${FIXED_SETTINGS.map((name) => `\`${name}\``).join(', ')}.
`;

/** docs/reference/rate-limiter.md. */
export function limiterReference(): string {
  return [
    INTRODUCTION,
    ...Object.entries(LIMITER_TABLE).map(([name, section]) =>
      sectionPage(name, section, {
        title: SECTION_TITLES[name as keyof typeof SECTION_TITLES],
        prefix: ENVIRONMENT.prefix,
      }),
    ),
  ].join('\n');
}

/** A complete file; `values` by setting name replace the defaults. */
export function limiterToml(values: ReadonlyMap<string, unknown> = new Map()): string {
  return writeSettings(LIMITER_TABLE, SECTION_TITLES, {
    head: 'Settings of chain-rate-limiter. A key left out has its default.',
    mode: '',
    values,
  });
}
