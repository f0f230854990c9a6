import { settingsReference } from '@chain/platform/program';
import { FIXED_SETTINGS } from './limiterTable.ts';
import { LIMITER } from './loadSettings.ts';

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
  return settingsReference(LIMITER, INTRODUCTION);
}
