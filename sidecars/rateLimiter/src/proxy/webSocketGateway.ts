import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, WebSocket, WebSocketServer } from 'ws';
import { type GatewayDeps, takeCalls } from './gateway.ts';
import type { Client } from './peers.ts';
import type { Policy } from './policy.ts';
import { CODES, errorText } from './refusals.ts';
import { limitedMessage, type UpgradeRefusal } from './upgradeRefusal.ts';
import { WebSocketBridge } from './webSocketBridge.ts';

const PATH = /^\/websocket(\?|$)/;
const MAX_FRAGMENTS = 1024;
/** Of one message, however little each brings. */
const MAX_READS = 16 * 1024;
/** The largest block, in JSON, with room. */
const MAX_NODE_MESSAGE_BYTES = 256 * 1024 * 1024;
const CHECK_MS = 1_000;
const GOING_AWAY = 1001;

/** Joins WebSocket connections of clients with connections to the node. */
export class WebSocketGateway {
  readonly #deps: GatewayDeps;
  readonly #bridges = new Set<WebSocketBridge>();
  /** Connections of each client, also those that are being made. */
  readonly #perClient = new Map<string, number>();
  #count = 0;
  #policy: Policy;
  #server: WebSocketServer;
  readonly #checks: NodeJS.Timeout;

  constructor(policy: Policy, deps: GatewayDeps) {
    this.#deps = deps;
    this.#policy = policy;
    this.#server = serverFor(policy);
    this.#checks = setInterval(() => this.#check(), CHECK_MS).unref();
  }

  get size(): number {
    return this.#count;
  }

  /** For connections and messages from now on. */
  configure(policy: Policy): void {
    this.#policy = policy;
    this.#server = serverFor(policy);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => undefined);
    const { peers, metrics } = this.#deps;
    const policy = this.#policy;
    const said = request.headers['x-forwarded-for'] as string | undefined;
    const client = peers.clientOf(request.socket, said, policy);
    const waitMs = takeCalls(this.#deps, client, 1);
    const refused =
      waitMs > 0
        ? limitedMessage(policy.settings.limit['reject-status'], waitMs)
        : this.#refusal(request, client);
    if (refused) {
      metrics.rejected(refused.reason);
      metrics.answered('websocket', refused.status);
      refuse(socket, refused);
      return;
    }
    this.#connect({ request, socket, head, client, policy });
  }

  /** Tells every client that it should connect elsewhere. */
  close(reason: string): void {
    clearInterval(this.#checks);
    for (const bridge of this.#bridges) bridge.close(GOING_AWAY, reason);
  }

  #refusal(request: IncomingMessage, { key, isExempt }: Client): UpgradeRefusal | undefined {
    const limits = this.#policy.settings;
    const text = (message: string) => errorText(null, CODES.invalidRequest, [message]);
    if (!limits['web-socket'].enabled || !PATH.test(request.url ?? '')) {
      return { reason: 'invalid', status: 404, text: text('no such path') };
    }
    if ((request.url ?? '').length > limits.http['max-url-bytes']) {
      return { reason: 'size', status: 414, text: text('the URL is too long') };
    }
    if (request.headers.upgrade?.toLowerCase() !== 'websocket' || request.method !== 'GET') {
      return { reason: 'invalid', status: 400, text: text('no WebSocket handshake') };
    }
    const most = isExempt ? 0 : limits.clients['max-web-sockets'];
    const own = this.#perClient.get(key) ?? 0;
    if ((most > 0 && own >= most) || this.#count >= limits['web-socket']['max-connections']) {
      return { reason: 'connections', status: 503, text: text('too many WebSocket connections') };
    }
    return undefined;
  }

  #connect(asked: {
    readonly request: IncomingMessage;
    readonly socket: Duplex;
    readonly head: Buffer;
    readonly client: Client;
    readonly policy: Policy;
  }): void {
    const { request, socket, head, client, policy } = asked;
    const { peers, metrics } = this.#deps;
    const leave = this.#enter(client.key);
    const { url, 'connect-timeout': handshakeTimeout } = policy.settings.upstream;
    const { origin, 'x-forwarded-for': said } = request.headers;
    const node = new WebSocket(`${url.replace(/^http/, 'ws').replace(/\/$/, '')}${request.url}`, {
      perMessageDeflate: false,
      maxPayload: MAX_NODE_MESSAGE_BYTES,
      handshakeTimeout,
      headers: {
        ...(origin === undefined ? {} : { origin }),
        'x-forwarded-for': peers.forwardedFor(request.socket, said as string | undefined, policy),
      },
    });
    const abandon = (): void => node.terminate();
    socket.once('close', abandon);
    const failed = (): void => {
      socket.off('close', abandon);
      leave();
      metrics.answered('websocket', 502);
      const text = errorText(null, CODES.internal, ['the node cannot be reached']);
      refuse(socket, { reason: 'invalid', status: 502, text });
    };
    node.once('error', failed);
    node.once('open', () => {
      node.off('error', failed);
      // What the node says before the client can hear it must not be lost.
      node.pause();
      // A handshake with faults is answered by the server, and its socket closed.
      socket.once('close', leave);
      this.#server.handleUpgrade(request, socket, head, (opened) => {
        socket.off('close', abandon);
        metrics.answered('websocket', 101);
        const bridge: WebSocketBridge = new WebSocketBridge({
          client: opened,
          node,
          policy: () => this.#policy,
          isExempt: client.isExempt,
          take: (calls) => takeCalls(this.#deps, client, calls),
          metrics,
          boundary: this.#deps.boundary,
          ended: () => this.#bridges.delete(bridge),
        });
        this.#bridges.add(bridge);
        node.resume();
      });
    });
  }

  /** Counts a connection, and gives what counts it off again. */
  #enter(client: string): () => void {
    this.#count++;
    this.#perClient.set(client, (this.#perClient.get(client) ?? 0) + 1);
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#count--;
      const left = (this.#perClient.get(client) ?? 1) - 1;
      if (left > 0) this.#perClient.set(client, left);
      else this.#perClient.delete(client);
    };
  }

  #check(): void {
    const now = performance.now();
    for (const bridge of this.#bridges) bridge.check(now);
  }
}

function serverFor(policy: Policy): WebSocketServer {
  const options: ServerOptions & {
    /** Not in the types yet. */
    readonly maxFragments: number;
    readonly maxBufferedChunks: number;
  } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: policy.settings['web-socket']['max-message-bytes'],
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_READS,
  };
  return new WebSocketServer(options);
}

function refuse(socket: Duplex, { status, text, retryAfter }: UpgradeRefusal): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
    ...(retryAfter === undefined ? [] : [`retry-after: ${retryAfter}`]),
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}
