import { settingsReference } from '@chain/platform/program';
import { OPERATOR } from './loadSettings.ts';

const INTRODUCTION = `# Settings of chain-operator
Generated from the table in \`operator/src/settings\`; do not edit.

A value is taken from a flag (\`chain-operator --controller.concurrency=8\`), else from the environment
(\`CHAIN_OPERATOR_CONTROLLER_CONCURRENCY=8\`), else from the TOML file of \`--config\`, else it is the default. Unknown
keys and values are refused, one line each; \`chain-operator check\` only checks. All are taken at the start.
`;

/** docs/reference/operator.md. */
export function operatorReference(): string {
  return settingsReference(OPERATOR, INTRODUCTION);
}
