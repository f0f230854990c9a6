import type { WebSocketPeer, WebSocketSession } from '@chain/platform/servers';
import type { CometMetrics } from '../cometMetrics.ts';
import { type CometDispatcher, paramsFromJson, RPC_ERRORS, responseText } from '../dispatch.ts';
import { ClientSubscriptions, type SubscriptionClients } from '../subscriptions/clientSubscriptions.ts';
import type { EventBus } from '../subscriptions/eventBus.ts';
import { type RpcRequest, readSingle, UnreadableRequest } from './requestBody.ts';

export interface SessionDeps {
  readonly dispatcher: CometDispatcher;
  readonly bus: EventBus;
  readonly clients: SubscriptionClients;
  readonly metrics: CometMetrics;
}

const FORM = { params: 'json', overWebSocket: true } as const;

/** One connection to `/websocket`: one call a message, answered in order, and events in between. */
export class CometSession implements WebSocketSession {
  readonly #peer: WebSocketPeer;
  readonly #deps: SessionDeps;
  readonly #subscriptions: ClientSubscriptions;
  readonly #gone = new Set<() => void>();

  constructor(peer: WebSocketPeer, deps: SessionDeps) {
    this.#peer = peer;
    this.#deps = deps;
    const push = (text: string): void => {
      deps.metrics.pushed();
      peer.push(text);
    };
    this.#subscriptions = new ClientSubscriptions({ push }, deps);
    deps.metrics.opened();
  }

  async message(body: Buffer): Promise<void> {
    let request: RpcRequest;
    try {
      request = readSingle(body);
    } catch (error) {
      if (!(error instanceof UnreadableRequest)) throw error;
      this.#peer.send(responseText(undefined, { error: RPC_ERRORS.parse(error.message) }));
      return;
    }
    const { id, method: name, params } = request;
    if (id === undefined) return;
    const method = this.#deps.dispatcher.methods.get(name);
    if (!method) {
      this.#peer.send(responseText(id, { error: RPC_ERRORS.methodNotFound }));
      return;
    }
    const listeners: (() => void)[] = [];
    const onGone = (listener: () => void): void => {
      listeners.push(listener);
      this.#gone.add(listener);
    };
    const outcome = await this.#deps.dispatcher.call(method, () => paramsFromJson(method, params), {
      id,
      caller: { onGone, subscriber: this.#subscriptions },
      form: FORM,
    });
    for (const listener of listeners) this.#gone.delete(listener);
    this.#peer.send(responseText(id, outcome));
  }

  isIdle(): boolean {
    return this.#subscriptions.size === 0;
  }

  closed(): void {
    this.#subscriptions.close();
    for (const listener of this.#gone) listener();
    this.#deps.metrics.closed();
  }
}
