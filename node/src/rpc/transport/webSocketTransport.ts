import { clientOf, type Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import {
  type Access,
  type HttpServer,
  openWebSocketServer,
  WEB_SOCKET_CLOSE,
  type WebSocketLimits,
  type WebSocketPeer,
  type WebSocketSession,
} from '@chain/platform/servers';
import type { ClientState } from '../clients/clientState.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { Answer } from '../dispatch/largeAnswer.ts';
import type { Caller, CallSubscriptions } from '../rpcMethod.ts';
import { PeerSubscriptions } from '../subscriptions/peerSubscriptions.ts';
import type { SubscriptionHub } from '../subscriptions/subscriptionHub.ts';
import type { Topic } from '../subscriptions/topic.ts';
import { type WebSocketMetrics, webSocketMetrics } from './webSocketMetrics.ts';

export interface WebSocketTransportOptions {
  readonly port: number;
  /** Origins whose pages may connect; `*` for any. */
  readonly origins: readonly string[];
  /** Hosts that handshakes may name beside addresses; `*` for any. */
  readonly vhosts: readonly string[];
  /** Namespaces whose methods it serves. */
  readonly apis: readonly string[];
  readonly limits: Partial<WebSocketLimits>;
  /** Subscriptions of one connection. */
  readonly maxSubscriptions: number;
}

interface TransportDeps {
  readonly dispatcher: Dispatcher;
  readonly hub: SubscriptionHub;
  readonly clients: ClientState;
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
}

/**
 * JSON-RPC over WebSocket: each message is a body as over HTTP, and subscriptions are pushed. Gate and deny list
 * are the dispatcher's, so they hold here too (spec R-4). Throws HTTP_CANNOT_LISTEN.
 */
export function openWebSocketTransport(
  options: WebSocketTransportOptions & { readonly address: string; readonly access?: Access | undefined },
  { dispatcher, hub, clients, logger, metrics }: TransportDeps,
): Promise<HttpServer> {
  const { address, access, port, origins, vhosts, limits, maxSubscriptions } = options;
  const counts = webSocketMetrics(metrics);
  const connected = (peer: WebSocketPeer) => {
    const subscriber = {
      push: (text: string): void => {
        counts.pushed();
        peer.push(text);
      },
      drop: (reason: string): void => peer.close(WEB_SOCKET_CLOSE.tryAgainLater, reason),
    };
    const subscriptions = new PeerSubscriptions(
      { max: maxSubscriptions, client: clientOf(peer.remoteAddress) },
      { hub, peer: subscriber, clients },
    );
    return new RpcSession(peer, { dispatcher, subscriptions, logger, counts });
  };
  return openWebSocketServer(
    { address, access, port, origins, vhosts, limits, connected },
    { logger, metrics },
  );
}

interface SessionDeps {
  readonly dispatcher: Dispatcher;
  readonly subscriptions: PeerSubscriptions;
  readonly logger: Logger;
  readonly counts: WebSocketMetrics;
}

/** Who wants to know that the connection is gone. */
interface Gone {
  readonly listeners: Set<() => void>;
  hasHappened: boolean;
}

/** One connection. */
class RpcSession implements WebSocketSession {
  readonly #peer: WebSocketPeer;
  readonly #deps: SessionDeps;
  readonly #gone: Gone = { listeners: new Set(), hasHappened: false };

  constructor(peer: WebSocketPeer, deps: SessionDeps) {
    this.#peer = peer;
    this.#deps = deps;
    deps.counts.opened();
  }

  message(body: Buffer): void | Promise<void> {
    const { dispatcher, subscriptions } = this.#deps;
    const call = new WebSocketCall(clientOf(this.#peer.remoteAddress), { subscriptions, gone: this.#gone });
    const answer = dispatcher.answer(body, call);
    if (!(answer instanceof Promise)) this.#reply(answer, call);
    else return answer.then((text) => this.#reply(text, call));
  }

  isIdle(): boolean {
    return this.#deps.subscriptions.size === 0;
  }

  closed(code: number, reason: string): void {
    const { subscriptions, counts, logger } = this.#deps;
    subscriptions.close();
    this.#gone.hasHappened = true;
    for (const listener of this.#gone.listeners) listener();
    counts.closed(code);
    logger.debug('WebSocket closed', { client: this.#peer.remoteAddress, code, reason });
  }

  #reply(answer: Answer, call: WebSocketCall): void {
    if (answer !== '') this.#peer.send(typeof answer === 'string' ? answer : answer.parts);
    call.answered();
  }
}

/** One message: what it subscribes to is told of only after its answer. */
class WebSocketCall implements Caller, CallSubscriptions {
  readonly client: string;
  readonly #gone: Gone;
  readonly #subscriptions: PeerSubscriptions;
  readonly #added: string[] = [];
  readonly #listeners: (() => void)[] = [];

  constructor(client: string, deps: { readonly subscriptions: PeerSubscriptions; readonly gone: Gone }) {
    this.client = client;
    this.#subscriptions = deps.subscriptions;
    this.#gone = deps.gone;
  }

  onGone(listener: () => void): void {
    if (this.#gone.hasHappened) {
      queueMicrotask(listener);
      return;
    }
    this.#listeners.push(listener);
    this.#gone.listeners.add(listener);
  }

  get subscriptions(): CallSubscriptions {
    return this;
  }

  setHeader(): void {}

  add(topic: Topic): string {
    const id = this.#subscriptions.add(topic);
    this.#added.push(id);
    return id;
  }

  replay(id: string, results: readonly string[]): void {
    this.#subscriptions.replay(id, results);
  }

  remove(id: string): boolean {
    return this.#subscriptions.remove(id);
  }

  answered(): void {
    for (const listener of this.#listeners) this.#gone.listeners.delete(listener);
    this.#subscriptions.release(this.#added);
  }
}
