import { eachSetting, type Setting, settingName } from '@chain/platform/settings';
import { OPERATOR_TABLE } from '../settings/index.ts';

const HEAD = `Usage: chain-operator [run|check|crds] [--config FILE] [--section.key=value …]

Looks after ChainNodes and ChainNodeFleets of a Kubernetes cluster.

  run      work until SIGTERM (the default)
  check    check the settings and print them as a file
  crds     print the definitions of both kinds, for kubectl apply --server-side -f -

Examples:
  chain-operator crds | kubectl apply --server-side -f -
  chain-operator --kubernetes.namespaces=chain
  chain-operator check --controller.concurrency=8 > operator.toml

Options:
  --config FILE    TOML file with settings (also CHAIN_OPERATOR_CONFIG)
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
  const shown = format(value)
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(', ]', ' ]');
  return `  --${name}=${shown}\n        ${about.replaceAll('`', '')}\n`;
}
