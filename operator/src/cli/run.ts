import { hostname } from 'node:os';
import type { Logger } from '@chain/platform';
import { type ProgramCommand, runProgram } from '@chain/platform/program';
import { definitionTexts } from '../api/index.ts';
import { runOperator } from '../app/index.ts';
import { loadCredentials } from '../kube/index.ts';
import { OPERATOR, type OperatorSettings } from '../settings/index.ts';

const COMMAND: ProgramCommand<OperatorSettings> = {
  about: 'Looks after ChainNodes and ChainNodeFleets of a Kubernetes cluster.',
  runs: 'work until SIGTERM (the default)',
  examples: [
    'chain-operator crds | kubectl apply --server-side -f -',
    'chain-operator --kubernetes.namespaces=chain',
    'chain-operator check --controller.concurrency=8 > operator.toml',
  ],
  manifest: new URL('../../package.json', import.meta.url),
  prints: {
    crds: [
      'print the definitions of both kinds, for kubectl apply --server-side -f -',
      () => [...definitionTexts().values()].join('---\n'),
    ],
  },
  run: (settings, { logger }) => operate(settings, logger),
};

/** The exit code. */
export function run(args: readonly string[]): Promise<number> {
  return runProgram({ args, environment: process.env }, OPERATOR, COMMAND);
}

async function operate(settings: OperatorSettings, logger: Logger): Promise<void> {
  const { env } = process;
  const credentials = loadCredentials(settings.kubernetes.kubeconfig);
  const namespace = settings.kubernetes.namespace || env.POD_NAMESPACE || credentials.namespace;
  const instance = env.POD_NAME || hostname();
  try {
    await runOperator({ settings, namespace, instance }, { credentials, logger, environment: env });
  } catch (error) {
    logger.error('Operator ends', { error });
    throw error;
  }
}
