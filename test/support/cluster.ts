import { execFile, spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { missingStarter, CLUSTER_STARTER as STARTER } from './clusterStarter.ts';
import { freePort } from './freePort.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const OUTPUT_BYTES = 256 * 1024 * 1024;
const REACHED_MS = 2_000;

/** A Kubernetes that tests may use. */
export interface Cluster {
  /** Standard output of kubectl. */
  kubectl(...args: readonly string[]): Promise<string>;
  /** The same, parsed. */
  json<T>(...args: readonly string[]): Promise<T>;
  /** Standard output of Helm. */
  helm(...args: readonly string[]): Promise<string>;
  /** Tells each line that kubectl writes, until the function that comes back is called. */
  follow(args: readonly string[], onLine: (line: string) => void): () => void;
  /** Makes the images of this clone known to it. */
  build(images: Readonly<Record<string, string>>): Promise<void>;
  /** Where a port of a Service can be reached from here. */
  serviceUrl(namespace: string, service: string, port: number): Promise<string>;
  /** Ends what was started for it; a cluster that ran before goes on. */
  close(): Promise<void>;
}

/** Says why there is none, or `undefined`: KUBECONFIG names one, or a starter (CHAIN_CLUSTER) can make one. */
export function missingCluster(): string | undefined {
  if (process.env.KUBECONFIG) {
    const isThere = spawnSync('kubectl', ['version'], { stdio: 'ignore' }).status === 0;
    return isThere ? undefined : 'KUBECONFIG is set, and kubectl does not reach its cluster';
  }
  const missing = missingStarter();
  if (missing) return `no KUBECONFIG, and ${missing}`;
  return process.getuid?.() === 0 ? undefined : `the cluster starter ${STARTER} needs root`;
}

export async function openCluster(): Promise<Cluster> {
  const isGiven = process.env.KUBECONFIG !== undefined;
  const wasUp = isGiven || spawnSync(STARTER, ['kubectl', 'get', 'nodes'], { stdio: 'ignore' }).status === 0;
  if (!wasUp) await run(STARTER, ['up'], { maxBuffer: OUTPUT_BYTES });
  const kubectl = async (...args: readonly string[]): Promise<string> => {
    const [program, ...first] = isGiven ? ['kubectl'] : [STARTER, 'kubectl'];
    return (await run(program!, [...first, ...args], { maxBuffer: OUTPUT_BYTES })).stdout;
  };
  const forwards: (() => void)[] = [];
  return {
    kubectl,
    helm: async (...args) => {
      const [program, ...first] = isGiven ? ['helm'] : [STARTER, 'helm'];
      return (await run(program!, [...first, ...args], { maxBuffer: OUTPUT_BYTES })).stdout;
    },
    follow: (args, onLine) => {
      const [program, ...first] = isGiven ? ['kubectl'] : [STARTER, 'kubectl'];
      const child = spawn(program!, [...first, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
      createInterface({ input: child.stdout }).on('line', onLine);
      const end = (): void => void child.kill();
      forwards.push(end);
      return end;
    },
    json: async <T>(...args: readonly string[]) => JSON.parse(await kubectl(...args, '-o', 'json')) as T,
    build: async (images) => {
      // Whoever brings a cluster brings the images as well: there is no registry here to hand them over.
      if (isGiven) return;
      for (const [target, tag] of Object.entries(images)) {
        const started = Date.now();
        await run(STARTER, ['build', tag, '.', '--target', target], { maxBuffer: OUTPUT_BYTES });
        process.stdout.write(`built ${tag} in ${Math.round((Date.now() - started) / 1000)} s\n`);
      }
    },
    serviceUrl: async (namespace, service, port) => {
      const address = await kubectl(
        '-n',
        namespace,
        'get',
        'service',
        service,
        '-o',
        'jsonpath={.spec.clusterIP}',
      );
      if (await isReachable(address, port)) return `http://${address}:${port}`;
      const local = await freePort();
      const [program, ...first] = isGiven ? ['kubectl'] : [STARTER, 'kubectl'];
      const args = ['-n', namespace, 'port-forward', `service/${service}`, `${local}:${port}`];
      const child = spawn(program!, [...first, ...args], { stdio: 'ignore' });
      forwards.push(() => child.kill());
      await until(`port ${port} of ${service} is forwarded`, () => isReachable('127.0.0.1', local));
      return `http://127.0.0.1:${local}`;
    },
    close: async () => {
      for (const end of forwards) end();
      if (!wasUp) await run(STARTER, ['down']);
    },
  };
}

function isReachable(host: string, port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host, port });
    const end = (reached: boolean): void => {
      socket.destroy();
      done(reached);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
    socket.setTimeout(REACHED_MS, () => end(false));
  });
}
