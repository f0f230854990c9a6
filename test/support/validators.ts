import { createHash, generateKeyPairSync } from 'node:crypto';
import type { NodeReport, SignPlace } from '@chain/platform/contract';
import type { ChainNode } from '../../operator/src/api/index.ts';
import { KINDS, type KubeClient, type KubeObject, type StatefulSet } from '../../operator/src/kube/index.ts';
import { CHAIN_NODE, nodeNames } from '../../operator/src/resources/index.ts';
import { nodeController } from './operatorOnServer.ts';

/** A validator key as CometBFT writes it, and its address. */
export function madeKey(): { readonly json: string; readonly address: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(12);
  const value = Buffer.concat([seed, point]).toString('base64');
  const address = createHash('sha256').update(point).digest('hex').slice(0, 40);
  return { json: JSON.stringify({ priv_key: { type: 'tendermint/PrivKeyEd25519', value } }), address };
}

/** Validators of an API server without controllers: their pods come and go when a test says so. */
export class Validators {
  readonly #client: KubeClient;
  readonly namespace: string;

  constructor(client: KubeClient, namespace: string) {
    this.#client = client;
    this.namespace = namespace;
  }

  async secret(name: string, json: string): Promise<void> {
    const ref = { namespace: this.namespace, name };
    await this.#client.delete(KINDS.secret, ref);
    await this.#client.create(KINDS.secret, {
      metadata: ref,
      stringData: { 'priv_validator_key.json': json },
    } as never);
  }

  async create(name: string, secret: string, over: object = {}): Promise<void> {
    await this.#client.create(CHAIN_NODE, {
      metadata: { namespace: this.namespace, name },
      spec: {
        role: 'validator',
        chain: { id: 'keys-1' },
        image: 'chain-node:6.5.0',
        storage: { size: '1Gi' },
        validatorKey: { secretRef: { name: secret } },
        ...over,
      },
    } as never);
  }

  /** A pass of an operator that has just started. `signed`: what the node tells that it has signed. */
  async pass(name: string, signed?: SignPlace & { readonly address: string }): Promise<void> {
    const report = {
      height: 1,
      stage: 'running',
      startedAt: new Date().toISOString(),
      nodeId: 'ab'.repeat(20),
    };
    const observation = () => ({ at: Date.now(), report: { ...report, signer: signed } as NodeReport });
    const controller = nodeController({ client: this.#client, ...(signed && { observation }) });
    await controller.reconcile({ namespace: this.namespace, name });
  }

  /** What the StatefulSet controller does: a pod where one is wanted, none where none is. */
  async settlePod(name: string): Promise<void> {
    const set = await this.set(name);
    const ref = { namespace: this.namespace, name: nodeNames(name).pod };
    const pod = await this.#client.get(KINDS.pod, ref);
    if (set?.spec?.replicas !== 1) return void (pod && (await this.#client.delete(KINDS.pod, ref)));
    if (!pod) await this.startPod(name, set);
  }

  async startPod(name: string, set: StatefulSet): Promise<void> {
    const { metadata, spec } = set.spec!.template as never as KubeObject & { readonly spec: object };
    const ref = { namespace: this.namespace, name: nodeNames(name).pod };
    await this.#client.create(KINDS.pod, { metadata: { ...metadata, ...ref }, spec } as never);
  }

  /** Passes and pods until nothing changes: a pass each of what was given, twice. */
  async settle(...names: readonly string[]): Promise<void> {
    for (const name of [...names, ...names]) {
      await this.pass(name);
      await this.settlePod(name);
    }
  }

  set(name: string): Promise<StatefulSet | undefined> {
    return this.#client.get(KINDS.statefulSet, { namespace: this.namespace, name });
  }

  async runs(name: string): Promise<boolean> {
    const pod = { namespace: this.namespace, name: nodeNames(name).pod };
    return (await this.#client.get(KINDS.pod, pod)) !== undefined;
  }

  async stalled(
    name: string,
  ): Promise<{ readonly status: string; readonly reason: string; readonly message: string }> {
    const node = (await this.#client.get(CHAIN_NODE, { namespace: this.namespace, name })) as ChainNode;
    const found = node.status?.conditions?.find(({ type }) => type === 'Stalled');
    return found ?? { status: 'Unknown', reason: '', message: '' };
  }
}
