import { parseQuery, type Query } from '../../eventQuery/index.ts';
import type { Subscriber } from '../cometMethod.ts';
import { toGoJson } from '../json/values.ts';
import { rpcFailure } from '../rpcFailure.ts';
import type { PublishedEvent } from './blockEvents.ts';
import type { EventBus } from './eventBus.ts';

export interface SubscriptionLimits {
  /** Clients that have a subscription. */
  readonly maxClients: number;
  readonly maxPerClient: number;
}

/** Who has subscriptions, over all connections. */
export class SubscriptionClients {
  readonly limits: SubscriptionLimits;
  readonly #clients = new Set<ClientSubscriptions>();

  constructor(limits: SubscriptionLimits) {
    this.limits = limits;
  }

  get count(): number {
    return this.#clients.size;
  }

  set(client: ClientSubscriptions, isSubscribed: boolean): void {
    if (isSubscribed) this.#clients.add(client);
    else this.#clients.delete(client);
  }
}

const MAX_QUERY_LENGTH = 512;

/** The subscriptions of one WebSocket connection, by query. */
export class ClientSubscriptions implements Subscriber {
  readonly #push: (text: string) => void;
  readonly #deps: { readonly bus: EventBus; readonly clients: SubscriptionClients };
  readonly #removers = new Map<string, () => void>();

  constructor(
    { push }: { readonly push: (text: string) => void },
    deps: { readonly bus: EventBus; readonly clients: SubscriptionClients },
  ) {
    this.#push = push;
    this.#deps = deps;
  }

  get size(): number {
    return this.#removers.size;
  }

  subscribe(text: string, id: string | number): void {
    const { bus, clients } = this.#deps;
    const { maxClients, maxPerClient } = clients.limits;
    if (clients.count >= maxClients) throw rpcFailure(`max_subscription_clients ${maxClients} reached`);
    if (this.size >= maxPerClient) throw rpcFailure(`max_subscriptions_per_client ${maxPerClient} reached`);
    if (text.length > MAX_QUERY_LENGTH) throw rpcFailure('maximum query length exceeded');
    const query = readQuery(text);
    if (this.#removers.has(query.canonical)) throw rpcFailure('already subscribed');
    const tell = (event: PublishedEvent): void => this.#push(notification(id, text, event));
    this.#removers.set(query.canonical, bus.subscribe({ query, tell }));
    clients.set(this, true);
  }

  unsubscribe(text: string): void {
    const { canonical } = readQuery(text);
    const remove = this.#removers.get(canonical);
    if (!remove) throw rpcFailure('subscription not found');
    remove();
    this.#removers.delete(canonical);
    this.#deps.clients.set(this, this.size > 0);
  }

  unsubscribeAll(): void {
    if (this.size === 0) throw rpcFailure('subscription not found');
    this.close();
  }

  close(): void {
    for (const remove of this.#removers.values()) remove();
    this.#removers.clear();
    this.#deps.clients.set(this, false);
  }
}

function readQuery(text: string): Query {
  try {
    return parseQuery(text);
  } catch (error) {
    throw rpcFailure(`failed to parse query: ${(error as Error).message}`);
  }
}

/** The data are the same for all subscribers, so their text is made once. */
function notification(id: string | number, query: string, event: PublishedEvent): string {
  const events = toGoJson(Object.fromEntries(event.values));
  const result = `{"query":${toGoJson(query)},"data":${event.data()},"events":${events}}`;
  return `{"jsonrpc":"2.0","id":${toGoJson(id)},"result":${result}}`;
}
