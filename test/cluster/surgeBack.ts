import { expect } from 'vitest';
import type { Cluster } from '../support/cluster.ts';
import { SteadyLoad } from '../support/steadyLoad/index.ts';
import { until } from '../support/until.ts';

interface Member {
  readonly name: string;
  readonly ordinal: number;
  readonly part: string;
  readonly ready: boolean;
}
interface Fleet {
  readonly metadata: { readonly generation: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly nodes?: readonly Member[];
    readonly rollout?: { readonly phase: string; readonly revision: string; readonly blockedBy?: string };
  };
}

/** Second nodes on a busy machine. */
const SURGE_MS = 480_000;

/** A fleet of one ordinal whose layout is changed by a second node and back, while clients use it all the time. */
export class SurgeBack {
  readonly #cluster: Cluster;
  readonly #namespace: string;
  readonly #name: string;

  constructor(cluster: Cluster, { namespace, name }: { readonly namespace: string; readonly name: string }) {
    this.#cluster = cluster;
    this.#namespace = namespace;
    this.#name = name;
  }

  kubectl(...args: readonly string[]): Promise<string> {
    return this.#cluster.kubectl('-n', this.#namespace, ...args);
  }

  patch(spec: object): Promise<string> {
    return this.kubectl('patch', 'cnf', this.#name, '--type=merge', '-p', JSON.stringify({ spec }));
  }

  split(evmSplit: boolean): Promise<string> {
    return this.patch({ template: { spec: { stateStore: { evmSplit } } } });
  }

  async members(): Promise<readonly Member[]> {
    return (await this.#fleet()).status?.nodes ?? [];
  }

  /** Of the rollout of the newest template, once the operator has seen it. */
  async phase(): Promise<string | undefined> {
    const { metadata, status } = await this.#fleet();
    return status?.observedGeneration === metadata.generation ? status.rollout?.phase : undefined;
  }

  async blockedBy(): Promise<string> {
    return (await this.#fleet()).status?.rollout?.blockedBy ?? '';
  }

  /** Name of the second node, once its pod is there and the operator has looked at it. */
  twin(): Promise<string> {
    return until(
      'there is a second node',
      async () => {
        const name = (await this.members()).find(({ part }) => part === 'Twin')?.name;
        if (name === undefined) return undefined;
        const phase = await this.kubectl('get', 'cn', name, '-o', 'jsonpath={.status.phase}');
        return phase !== '' && phase !== 'Pending' ? name : undefined;
      },
      SURGE_MS,
    );
  }

  /** Its members, once they have these parts; in the order of their names. */
  parts(...wanted: readonly string[]): Promise<readonly Member[]> {
    return until(
      `the fleet is ${wanted.join(', ')}`,
      async () => {
        const members = await this.members();
        const are = members.map(({ part }) => part);
        const isServed = members.some(({ part, ready }) => part === 'Member' && ready);
        return isServed && are.toSorted().join() === wanted.toSorted().join() && members;
      },
      SURGE_MS,
    );
  }

  load(jsonRpc: string, consensus: string): SteadyLoad {
    return new SteadyLoad({ jsonRpc, consensus, evmChainId: 713_715, chainId: 'chain-test-1' });
  }

  /** What `kubectl` says of the layout that the pod of a node has opened. */
  async isSplit(name: string): Promise<boolean> {
    const path = 'jsonpath={.status.stateStore.evmSplit}';
    return (await this.kubectl('get', 'cn', name, '-o', path)) === 'true';
  }

  /** Nothing that leads to clients leads to a node that stands by. */
  async expectUnserved(name: string): Promise<void> {
    const serving = 'jsonpath={.metadata.labels.chain\\.dev/serving}';
    expect(await this.kubectl('get', 'pod', `${name}-0`, '-o', serving)).toBe('false');
  }

  #fleet(): Promise<Fleet> {
    return this.#cluster.json<Fleet>('-n', this.#namespace, 'get', 'cnf', this.#name);
  }
}
