import { ANNOTATIONS, LABELS } from '../../api/index.ts';
import { KINDS, type KubeClient, type Lease } from '../../kube/index.ts';
import { MANAGED_BY, resourceErrors } from '../../resources/index.ts';
import { marksIn, type SignedMarks } from './signedMarks.ts';

export interface SignerOptions {
  /** The operator's own: Leases of validator keys of all its namespaces lie there. */
  readonly namespace: string;
  /** Names begin with it. */
  readonly name: string;
}

/** Who signs with a key, and what it has signed. */
export interface SignerLease {
  readonly name: string;
  /** `namespace/name` of a ChainNode; empty where nobody does. */
  readonly holder: string;
  readonly marks: SignedMarks;
  /** Absent where there is none yet. */
  readonly live?: Lease;
}

/**
 * One Lease for each validator key, by its address. It is never deleted, for what a key has signed outlives nodes,
 * volumes and namespaces. Each write is on the version that was read: of two that want a key, one gets KUBE_CONFLICT or
 * KUBE_EXISTS.
 */
export class SignerLeases {
  readonly #options: SignerOptions;
  readonly #client: KubeClient;

  constructor(options: SignerOptions, client: KubeClient) {
    this.#options = options;
    this.#client = client;
  }

  nameOf(address: string): string {
    return `${this.#options.name}-signer-${address}`;
  }

  /** What a person types to take the key from a holder that cannot be asked. */
  freeCommand(address: string): string {
    const freed = '\'{"spec":{"holderIdentity":""}}\'';
    return `kubectl -n ${this.#options.namespace} patch lease ${this.nameOf(address)} --type merge -p ${freed}`;
  }

  /** Throws RESOURCES_NAME_TAKEN where the Lease is not the operator's, or was changed into something else. */
  async read(address: string): Promise<SignerLease> {
    const name = this.nameOf(address);
    const live = await this.#client.get(KINDS.lease, { namespace: this.#options.namespace, name });
    const marks = marksIn(live?.metadata?.annotations?.[ANNOTATIONS.signed]);
    if ((live && live.metadata?.labels?.[LABELS.signer] !== address) || !marks)
      throw resourceErrors.nameTaken('Lease', name);
    return { name, holder: live?.spec?.holderIdentity ?? '', marks, ...(live && { live }) };
  }

  /** Writes holder and marks, also where they are the same: who read the Lease before cannot write it any more. */
  async write(
    address: string,
    { live, ...lease }: SignerLease,
    wanted: Partial<Pick<SignerLease, 'holder' | 'marks'>>,
  ): Promise<SignerLease> {
    const { holder, marks } = { ...lease, ...wanted };
    const annotations = { ...live?.metadata?.annotations, [ANNOTATIONS.signed]: JSON.stringify(marks) };
    const { namespace } = this.#options;
    const time = new Date(this.#client.clock.now()).toISOString().replace('Z', '000Z');
    const spec = { ...live?.spec, holderIdentity: holder, renewTime: time };
    const labels = { [MANAGED_BY.label]: MANAGED_BY.value, [LABELS.signer]: address };
    const written = live
      ? await this.#client.replace(KINDS.lease, {
          ...live,
          metadata: { ...live.metadata, annotations },
          spec,
        } as Lease)
      : await this.#client.create(KINDS.lease, {
          metadata: { namespace, name: lease.name, labels, annotations },
          spec,
        } as never);
    return { name: lease.name, holder, marks, live: written };
  }
}
