import { type ChildProcess, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CodedError } from '@chain/platform';
import type { PlannedNode } from './localnetPlan.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/chaind.js', import.meta.url));
const STOP_GRACE_MS = 45_000;

/** Nodes that run as children, each with its log in a file. */
export interface RunningLocalnet {
  /** Rejects when a node ends by itself, with the end of its log. */
  readonly ended: Promise<never>;
  /** Stops all and waits for them. Idempotent. */
  stop(): Promise<void>;
}

export const logFileOf = ({ home, name }: PlannedNode): string => join(dirname(home), `${name}.log`);

/** Throws APP_LOCALNET_PORT when a port is taken; nothing runs then. */
export async function runLocalnet(nodes: readonly PlannedNode[]): Promise<RunningLocalnet> {
  for (const node of nodes) for (const port of Object.values(node.ports)) await requireFree(port, node);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => undefined);
  let stopping = false;
  const children = await Promise.all(
    nodes.map(async (node) => {
      const child = await startNode(node);
      const gone = new Promise<void>((done) => child.once('close', () => done()));
      child.once('close', (code) => {
        if (!stopping) reject(endedByItself(node, code));
      });
      return { child, gone };
    }),
  );
  const stop = async (): Promise<void> => {
    stopping = true;
    for (const { child } of children) child.kill('SIGTERM');
    const kill = setTimeout(() => {
      for (const { child } of children) child.kill('SIGKILL');
    }, STOP_GRACE_MS);
    await Promise.all(children.map(({ gone }) => gone));
    clearTimeout(kill);
  };
  return { ended, stop };
}

/** In a group of its own: Ctrl-C reaches this process, which stops them in order. */
async function startNode(node: PlannedNode): Promise<ChildProcess> {
  const log = await open(logFileOf(node), 'a');
  try {
    const output = ['ignore', log.fd, log.fd] as const;
    return spawn(process.execPath, [PROGRAM, 'start', '--home', node.home, '--log-format', 'pretty'], {
      stdio: [...output],
      detached: true,
    });
  } finally {
    await log.close();
  }
}

async function requireFree(port: number, { name }: PlannedNode): Promise<void> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, '127.0.0.1', resolve);
  await promise.catch((cause: NodeJS.ErrnoException) => {
    throw new CodedError(
      'APP_LOCALNET_PORT',
      `port ${port} of ${name} is taken (${cause.code}); end the program that has it, or make the network anew with --fresh --base-port <port>`,
      { fields: { port, node: name }, cause },
    );
  });
  await new Promise((closed) => server.close(closed));
}

function endedByItself(node: PlannedNode, code: number | null): CodedError {
  return new CodedError(
    'APP_LOCALNET_NODE_ENDED',
    `${node.name} has ended by itself (exit code ${code}); see ${logFileOf(node)}`,
    { fields: { node: node.name, code: code ?? undefined } },
  );
}
