import { serverError } from '../rpcError.ts';
import { ClientShares, type ShareLimits, type ShareRefusal } from './clientShares.ts';

export interface ClientStateLimits {
  /** Filters that are installed at a time. */
  readonly filters: ShareLimits;
  /** Subscriptions, over all connections of a client. */
  readonly subscriptions: ShareLimits;
  /** About what filters and subscriptions take in memory. */
  readonly bytes: ShareLimits;
}

const REFUSALS: Readonly<Record<keyof ClientStateLimits, ShareRefusal>> = {
  filters: (client, amount) => {
    const why =
      client === undefined ? `${amount - 1} are installed` : `${client} has installed ${amount - 1}`;
    return serverError(`too many filters: ${why}; uninstall some or let them expire`);
  },
  subscriptions: (client, amount) => {
    const whose = client === undefined ? 'all clients have' : `${client} has`;
    return serverError(`too many subscriptions: ${whose} ${amount - 1}; unsubscribe some`);
  },
  bytes: (client, amount, limit) => {
    const [whose, key] =
      client === undefined ? ['all clients', 'max_clients_bytes'] : [client, 'max_client_bytes'];
    return serverError(
      `filters and subscriptions of ${whose} would take ${amount} bytes, more than evm.${key}, ${limit}; remove some, or name fewer addresses and topics`,
    );
  },
};

/** What the node keeps for clients between their calls, by client address and in all. */
export class ClientState {
  readonly #shares: Readonly<Record<keyof ClientStateLimits, ClientShares>>;

  constructor(limits: ClientStateLimits) {
    const sharesOf = (kind: keyof ClientStateLimits) => new ClientShares(limits[kind], REFUSALS[kind]);
    this.#shares = {
      filters: sharesOf('filters'),
      subscriptions: sharesOf('subscriptions'),
      bytes: sharesOf('bytes'),
    };
  }

  /** One more of the kind, of so many bytes; gives the function that lets go of it. Throws −32000 above a limit. */
  hold(kind: 'filters' | 'subscriptions', client: string, bytes: number): () => void {
    const { [kind]: count, bytes: memory } = this.#shares;
    count.hold(client, 1);
    try {
      memory.hold(client, bytes);
    } catch (error) {
      count.release(client, 1);
      throw error;
    }
    return () => {
      count.release(client, 1);
      memory.release(client, bytes);
    };
  }
}
