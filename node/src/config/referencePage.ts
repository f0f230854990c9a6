import { sectionPage } from '@chain/platform/settings';
import { APP_TABLE, SECTION_TITLES } from './appSettings/appTable.ts';
import { COMET_TABLE } from './cometSettings.ts';
import { ENVIRONMENT } from './overridable.ts';

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
      sectionPage(name, section, {
        title: SECTION_TITLES[name as keyof typeof SECTION_TITLES],
        prefix: ENVIRONMENT.prefix,
      }),
    ),
    '## config.toml\nSpelled with underscores; hyphens are accepted with a warning.\n',
    ...Object.entries(COMET_TABLE).map(([name, section]) => sectionPage(name, section, {})),
  ].join('\n');
}
