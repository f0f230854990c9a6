import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KINDS } from '../../operator/src/kube/index.ts';
import { CHAIN_NODE, CHAIN_NODE_FLEET } from '../../operator/src/resources/index.ts';
import { type ApiServer, missingApiServer, openApiServer } from '../support/apiServer.ts';
import { CLUSTER_STARTER } from '../support/clusterStarter.ts';
import { NAMESPACES } from '../support/kubeKinds.ts';
import { fleetController, nodeController } from '../support/operatorOnServer.ts';
import { leftOutIf } from '../support/required.ts';

const NAMES = {
  OPERATOR_NAMESPACE: 'chain-system',
  NS: 'chain',
  NODE: 'rpc-0',
  FLEET: 'rpc',
  POD: 'rpc-0-0',
  HEIGHT: '2000',
};
/** They want a kubelet, or a person. */
const ELSEWHERE = / (exec|logs|top|edit) /;

/** Commands that a page says to type: of its blocks, and those of kubectl within its sentences. */
function commandsOf(page: string): readonly string[] {
  const text = readFileSync(`docs/runbooks/${page}`, 'utf8');
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block]) => block!.trim().split('\n'));
  const inline = [...text.replaceAll(/```sh\n.*?```/gs, '').matchAll(/`(kubectl [^`]+)`/g)].map(
    ([, it]) => it!,
  );
  return [...blocks, ...inline].filter(
    (command) => command.startsWith('kubectl ') && !ELSEWHERE.test(command),
  );
}

/** Of all pages, each once. */
const COMMANDS = [...new Set(readdirSync('docs/runbooks').flatMap(commandsOf))];

describe('commands of runbooks', leftOutIf('runbooks', missingApiServer()), () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await openApiServer();
    const { client } = server;
    await client.create(NAMESPACES, { metadata: { name: NAMES.NS } } as never);
    await shell('kubectl apply --server-side --force-conflicts -k k8s/operator');
    const lease = { namespace: NAMES.OPERATOR_NAMESPACE, name: 'chain-operator' };
    await client.create(KINDS.lease, { metadata: lease, spec: {} } as never);
    const spec = { chain: { id: 'c' }, image: 'chain-node:6.5.0', storage: { size: '1Gi' } };
    const fleet = { namespace: NAMES.NS, name: NAMES.FLEET };
    await client.create(CHAIN_NODE_FLEET, {
      metadata: fleet,
      spec: { replicas: 1, template: { spec } },
    } as never);
    await fleetController(client).reconcile(fleet);
    const node = { namespace: NAMES.NS, name: NAMES.NODE };
    await nodeController({ client }).reconcile(node);
    expect(await client.get(CHAIN_NODE, node)).toBeDefined();
  });
  afterAll(() => server?.close());
  // Some commands delete it, and nobody makes another one here.
  beforeEach(async () => {
    const { client } = server;
    const ref = { namespace: NAMES.NS, name: NAMES.POD };
    if (await client.get(KINDS.pod, ref)) return;
    const set = await client.get(KINDS.statefulSet, { namespace: NAMES.NS, name: NAMES.NODE });
    const { metadata, spec } = set!.spec!.template;
    await client.create(KINDS.pod, { metadata: { ...metadata, ...ref }, spec } as never);
  });

  /** As a person's shell runs it. */
  async function shell(command: string): Promise<void> {
    const kubectl = `kubectl() { "${CLUSTER_STARTER}" kubectl --kubeconfig "${server.kubeconfig}" "$@"; }`;
    const env = { ...process.env, ...NAMES };
    await promisify(execFile)('bash', ['-euc', `${kubectl}\n${command}`], { env });
  }

  it.each(COMMANDS)('%s', async (command) => {
    await expect(shell(command)).resolves.toBe(undefined);
  });

  it('are many', () => {
    expect(COMMANDS.length).toBeGreaterThan(40);
  });
});
