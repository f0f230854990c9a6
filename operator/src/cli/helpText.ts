import { eachSetting, type Setting, settingName } from '@chain/platform/settings';
import { OPERATOR_TABLE } from '../settings/index.ts';

const HEAD = `Usage: chain-operator [run] [--section.key=value …]

Looks after ChainNodes and ChainNodeFleets of a Kubernetes cluster.

Examples:
  chain-operator
  chain-operator --kubernetes.namespaces=chain,chain-test --leader.enabled=false

Options:
  -h, --help       this text
  -V, --version    the version

Every setting is an option, and a variable such as CHAIN_OPERATOR_CONTROLLER_CONCURRENCY:
`;

export function helpText(): string {
  const rows = [...eachSetting(OPERATOR_TABLE)].map(([section, key, setting]) =>
    row(settingName(section, key), setting),
  );
  return `${HEAD}${rows.join('')}`;
}

function row(name: string, { about, default: value, format }: Setting<unknown>): string {
  return `  --${name}=${format(value)}\n        ${about.replaceAll('`', '')}\n`;
}
