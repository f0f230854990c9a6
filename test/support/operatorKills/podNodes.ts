import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Cluster } from '../cluster.ts';
import { until } from '../until.ts';

interface Migration {
  readonly id: string;
  readonly phase: string;
  readonly reason?: string;
  readonly message?: string;
}
interface Node {
  readonly status?: {
    readonly nodeId?: string;
    readonly stateStore?: { readonly layout?: string; readonly evmSplit?: boolean };
    readonly migration?: Migration;
  };
}
type Patch = Readonly<Record<string, unknown>>;

/** Migrations with real pods take a minute, on a busy machine several. */
const LONG_MS = 900_000;

/** ChainNodes of one namespace, as kubectl sees them. */
export class PodNodes {
  readonly #cluster: Cluster;
  readonly #namespace: string;
  readonly #directory: string;

  /** `directory` is for manifests. */
  constructor(
    cluster: Cluster,
    { namespace, directory }: { readonly namespace: string; readonly directory: string },
  ) {
    this.#cluster = cluster;
    this.#namespace = namespace;
    this.#directory = directory;
  }

  kubectl(...args: readonly string[]): Promise<string> {
    return this.#cluster.kubectl('-n', this.#namespace, ...args);
  }

  apply(...items: readonly object[]): Promise<string> {
    const path = join(this.#directory, 'objects.json');
    writeFileSync(path, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    return this.kubectl('apply', '-f', path);
  }

  get(name: string): Promise<Node> {
    return this.#cluster.json<Node>('-n', this.#namespace, 'get', 'cn', name);
  }

  async migration(name: string): Promise<Migration | undefined> {
    return (await this.get(name)).status?.migration;
  }

  patch(name: string, spec: Patch): Promise<string> {
    return this.kubectl('patch', 'cn', name, '--type=merge', '-p', JSON.stringify({ spec }));
  }

  annotate(name: string, command: string): Promise<string> {
    return this.kubectl('annotate', '--overwrite', 'cn', name, `chain.dev/${command}=${Date.now()}`);
  }

  ready(name: string): Promise<string> {
    return this.kubectl('wait', '--for=condition=Ready', `cn/${name}`, `--timeout=${LONG_MS / 1000}s`);
  }

  async isSplit(name: string): Promise<boolean> {
    return (await this.get(name)).status?.stateStore?.evmSplit === true;
  }

  /** Asks for the other layout than the node has; `id` of a migration that was there before. */
  async askForOther(name: string): Promise<{ readonly before: string | undefined; readonly split: boolean }> {
    const split = !(await this.isSplit(name));
    const before = (await this.migration(name))?.id;
    await this.patch(name, { stateStore: { evmSplit: split } });
    return { before, split };
  }

  /** Waits until a migration other than `before` is in a phase, with a reason when one is given. */
  async reaches(
    name: string,
    phase: string,
    { before, reason }: { before?: string | undefined; reason?: string } = {},
  ) {
    return await until(
      `${name} is ${phase} ${reason ?? ''}`,
      async () => {
        const found = await this.migration(name);
        if (!found || found.id === before) return false;
        const stands = ['Held', 'RolledBack'].includes(found.phase) && phase !== found.phase;
        if (stands && phase === 'Succeeded') expect.unreachable(JSON.stringify(found));
        return found.phase === phase && (reason === undefined || found.reason === reason) && found;
      },
      LONG_MS,
    );
  }

  /** A whole migration into the other layout. */
  async migrate(name: string): Promise<void> {
    const { before, split } = await this.askForOther(name);
    await this.reaches(name, 'Succeeded', { before });
    await until(`${name} tells its layout`, async () => (await this.isSplit(name)) === split, LONG_MS);
  }

  /** What must outlive everything: the node's id, by its Secret and by the files on its volume. */
  async identity(name: string): Promise<readonly unknown[]> {
    const { nodeId } = (await this.get(name)).status ?? {};
    const secret = await this.kubectl('get', 'secret', `${name}-node-key`, '-o', 'jsonpath={.data}');
    const files = ['node_key.json', 'priv_validator_key.json'].map((file) => `/var/lib/chain/config/${file}`);
    const onVolume = await this.kubectl('exec', `${name}-0`, '-c', 'node', '--', 'cat', ...files);
    return [nodeId, secret, onVolume];
  }
}
