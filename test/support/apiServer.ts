import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { CUSTOM_RESOURCES, customResourceDefinition } from '../../operator/src/api/index.ts';
import { type KubeClient, openKubeClient, resourceKind } from '../../operator/src/kube/index.ts';
import { clusterBinary, missingStarter } from './clusterStarter.ts';
import { freePort } from './freePort.ts';
import { NAMESPACES } from './kubeKinds.ts';
import { until } from './until.ts';
import { writeKubeconfig } from './writeKubeconfig.ts';

/** By who brings it. */
export const TOKENS = { admin: 'a-token-of-a-test', operator: 'a-token-of-the-operator' } as const;
const { admin: TOKEN, operator: OPERATOR_TOKEN } = TOKENS;
/** Whom the operator's rights are given to. */
export const OPERATOR_USER = 'chain-operator';

export interface ApiServer {
  readonly client: KubeClient;
  /** Path of one for programs. */
  readonly kubeconfig: string;
  /** The same for OPERATOR_USER, who may do what it is bound to and nothing else. */
  readonly operator: { readonly client: KubeClient; readonly kubeconfig: string };
  /** What OPERATOR_USER has asked, as the server has noted it. */
  asked(): readonly AskedRight[];
  /** Kills the server, not what it has stored, and starts it again. */
  restart(): Promise<void>;
  close(): void;
}

/** A right that was used: of `/` paths that are no resources, the path. */
export interface AskedRight {
  readonly verb: string;
  readonly group: string;
  /** With its subresource, as roles have it. */
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly status: number;
  /** Its rights did not have it; admission may refuse with the same status. */
  readonly isForbidden: boolean;
}

export const missingApiServer = (): string | undefined =>
  clusterBinary() === undefined
    ? (missingStarter() ?? 'the cluster starter unpacks no kube-apiserver')
    : undefined;

/**
 * A Kubernetes API server of one's own, with the custom resources: no scheduler, no kubelet, no controllers, so that a
 * test says what becomes of what the operator makes.
 */
export async function openApiServer(): Promise<ApiServer> {
  const directory = mkdtempSync(join(tmpdir(), 'api-server-'));
  const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()];
  const etcd = startEtcd(directory, etcdPort, peerPort);
  let children = [etcd, startServer(directory, etcdPort, port)];
  const certificate = join(directory, 'apiserver.crt');
  await until('the API server has a certificate', async () => existsSync(certificate), 120_000);
  const server = new URL(`https://127.0.0.1:${port}`);
  const openAs = (token: string) =>
    openKubeClient({
      credentials: {
        server: server.href,
        namespace: 'default',
        get: async () => ({
          server,
          agent: undefined,
          headers: { authorization: `Bearer ${token}` },
          tls: { ca: readFileSync(certificate) },
        }),
      },
      metrics: createMetricsRegistry(),
    });
  const [opened, operator] = [openAs(TOKEN), openAs(OPERATOR_TOKEN)];
  const { client } = opened;
  const place = { server: server.href, 'certificate-authority': certificate };
  const answers = () =>
    until('the API server answers', async () => client.get(NAMESPACES, { name: 'default' }), 120_000);
  await answers();
  await installDefinitions(client);
  return {
    client,
    kubeconfig: writeKubeconfig(directory, place, { token: TOKEN }),
    operator: {
      client: operator.client,
      kubeconfig: writeKubeconfig(mkdtempSync(join(directory, 'operator-')), place, {
        token: OPERATOR_TOKEN,
      }),
    },
    asked: () => readAudit(join(directory, AUDIT_LOG)),
    restart: async () => {
      const [, old] = children;
      const ended = once(old!, 'exit');
      old!.kill('SIGKILL');
      await ended;
      children = [etcd, startServer(directory, etcdPort, port)];
      await answers();
    },
    close: () => {
      opened.close();
      operator.close();
      for (const child of children) child.kill('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function startEtcd(directory: string, port: number, peerPort: number): ChildProcess {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  return start(directory, 'etcd', [
    '--data-dir',
    join(directory, 'etcd'),
    '--unsafe-no-fsync',
    '--listen-client-urls',
    client,
    '--advertise-client-urls',
    client,
    '--listen-peer-urls',
    peer,
    '--initial-advertise-peer-urls',
    peer,
    '--initial-cluster',
    `default=${peer}`,
  ]);
}

function startServer(directory: string, etcdPort: number, port: number): ChildProcess {
  const key = join(directory, 'sa.key');
  if (!existsSync(key)) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(key, privateKey.export({ type: 'pkcs1', format: 'pem' }));
  }
  const tokens = [
    `${TOKEN},admin,admin,system:masters`,
    `${OPERATOR_TOKEN},${OPERATOR_USER},${OPERATOR_USER}`,
  ];
  writeFileSync(join(directory, 'tokens.csv'), `${tokens.join('\n')}\n`);
  writeFileSync(join(directory, 'audit.json'), JSON.stringify(AUDIT_POLICY));
  return start(directory, 'kube-apiserver', [
    '--etcd-servers',
    `http://127.0.0.1:${etcdPort}`,
    '--cert-dir',
    directory,
    '--bind-address',
    '127.0.0.1',
    '--secure-port',
    String(port),
    '--token-auth-file',
    join(directory, 'tokens.csv'),
    '--authorization-mode',
    'RBAC',
    '--audit-policy-file',
    join(directory, 'audit.json'),
    '--audit-log-path',
    join(directory, AUDIT_LOG),
    '--service-account-key-file',
    key,
    '--service-account-signing-key-file',
    key,
    '--service-account-issuer',
    'https://kubernetes.default.svc',
    // Nobody makes accounts here.
    '--disable-admission-plugins',
    'ServiceAccount',
    '--service-cluster-ip-range',
    '10.99.0.0/16',
  ]);
}

function start(directory: string, name: string, args: readonly string[]): ChildProcess {
  const log = openSync(join(directory, `${name}.log`), 'a');
  return spawn(clusterBinary()!, [name, ...args], { stdio: ['ignore', log, log] });
}

async function installDefinitions(client: KubeClient): Promise<void> {
  const kind = resourceKind('apiextensions.k8s.io/v1', 'CustomResourceDefinition', { isNamespaced: false });
  for (const resource of CUSTOM_RESOURCES)
    await client.create(kind, customResourceDefinition(resource) as never);
  for (const { plural } of CUSTOM_RESOURCES) {
    const served = resourceKind('chain.dev/v1alpha1', 'Any', { plural });
    await until(`${plural} are served`, async () => (await client.list(served)) && true, 60_000);
  }
}

const AUDIT_LOG = 'audit.log';
const AUDIT_POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived', 'ResponseStarted'],
  rules: [{ level: 'Metadata', users: [OPERATOR_USER] }, { level: 'None' }],
};

interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly annotations?: Readonly<Record<string, string>>;
}

function readAudit(path: string): readonly AskedRight[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => {
    const { verb, requestURI, objectRef = {}, responseStatus, annotations } = JSON.parse(line) as AuditEvent;
    const isForbidden = annotations?.['authorization.k8s.io/decision'] === 'forbid';
    const { apiGroup: group = '', resource = requestURI, subresource, namespace, name } = objectRef;
    const whole = subresource === undefined ? resource : `${resource}/${subresource}`;
    return { verb, group, resource: whole, namespace, name, status: responseStatus?.code ?? 0, isForbidden };
  });
}
