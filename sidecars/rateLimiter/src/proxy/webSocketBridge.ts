import type { CrashBoundary } from '@chain/platform';
import type { RawData, WebSocket } from 'ws';
import { pickCalls, readCalls } from '../rules/index.ts';
import { judgeCalls } from './judgeCalls.ts';
import type { LimiterMetrics } from './limiterMetrics.ts';
import type { Policy } from './policy.ts';
import { limitedText } from './refusals.ts';

export interface BridgeParts {
  readonly client: WebSocket;
  readonly node: WebSocket;
  readonly policy: () => Policy;
  /** Its batches may be of any size. */
  readonly isExempt: boolean;
  /** Pays for calls: 0, or the ms to wait. */
  readonly take: (calls: number) => number;
  readonly metrics: LimiterMetrics;
  readonly boundary: CrashBoundary;
  /** Told once, when both connections are over. */
  readonly ended: () => void;
}

const CLOSE = { normal: 1000, goingAway: 1001, noStatus: 1005, policy: 1008, failed: 1011 } as const;
/** Above so many bytes that wait on one side, the other side is not read from. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** How long a peer has to say goodbye. */
const CLOSE_GRACE_MS = 1_000;

/** Two WebSocket connections joined: each message of the client is judged as a request, all of the node's go on. */
export class WebSocketBridge {
  readonly #parts: BridgeParts;
  /** Messages refused since the last that was let through. */
  #refused = 0;
  #heardAt = performance.now();
  #pingedAt: number | undefined;
  #stuckSince: number | undefined;
  #isOver = false;

  constructor(parts: BridgeParts) {
    this.#parts = parts;
    const { client, node } = parts;
    const guard = (listener: (data: RawData, isBinary: boolean) => void) =>
      parts.boundary.guard(listener, () => this.close(CLOSE.failed, 'internal error'));
    client.on(
      'message',
      guard((data, isBinary) => this.#fromClient(data as Buffer, isBinary)),
    );
    client.on('ping', () => this.#pinged());
    client.on('pong', () => this.#hear());
    node.on(
      'message',
      guard((data, isBinary) => this.#fromNode(data, isBinary)),
    );
    // Their close events follow.
    client.on('error', () => undefined);
    node.on('error', () => undefined);
    client.on('close', (code) => this.#over(code));
    node.on('close', (code) => this.close(code, 'the node has closed the connection'));
  }

  /** Says goodbye to the client, and cuts both if it does not answer. */
  close(code: number, reason: string): void {
    const { client } = this.#parts;
    client.resume();
    client.close(code === CLOSE.noStatus || code < CLOSE.normal ? CLOSE.normal : sendable(code), reason);
    setTimeout(() => client.terminate(), CLOSE_GRACE_MS).unref();
  }

  /** Called now and then: pings after silence, cuts what is dead or takes nothing in. */
  check(now: number): void {
    const { client, policy } = this.#parts;
    const limits = policy().settings['web-socket'];
    const isDead = this.#pingedAt !== undefined && now - this.#pingedAt > limits['pong-timeout'];
    const isStuck = this.#stuckSince !== undefined && now - this.#stuckSince > limits['pong-timeout'];
    if (isDead || isStuck) client.terminate();
    else if (this.#pingedAt === undefined && now - this.#heardAt > limits['ping-interval']) {
      this.#pingedAt = now;
      client.ping();
    }
  }

  #fromClient(body: Buffer, isBinary: boolean): void {
    const { policy, take, isExempt, metrics } = this.#parts;
    this.#hear();
    metrics.answered('websocket', 0);
    const waitMs = take(1);
    if (waitMs > 0) {
      const read = this.#refused === 0 ? readCalls(body) : undefined;
      const id = read && 'calls' in read && !read.isBatch ? read.calls[0]!.id : null;
      this.#refuse('limited', limitedText(id, waitMs));
      return;
    }
    const verdict = judgeCalls(body, { policy: policy(), isExempt, paid: 1, take });
    if (verdict.kind === 'limited') this.#refuse('limited', verdict.text);
    else if (verdict.kind === 'refused') this.#refuse(verdict.reason, verdict.text);
    else if (verdict.kind === 'forward' && !verdict.isBatch) this.#pass(body, isBinary);
    else this.#takeApart(body, verdict.kind === 'partly' ? verdict : undefined);
  }

  /** The node takes one call a message, and answers it with one: so are the calls of a batch, here too. */
  #takeApart(
    body: Buffer,
    part?: { readonly may: readonly boolean[]; readonly answers: readonly string[] },
  ): void {
    for (const answer of part?.answers ?? []) this.#refuse('denied', answer);
    for (const call of pickCalls(body, (i) => part?.may[i] ?? true)) this.#pass(call, false);
  }

  #pass(message: Buffer | string, isBinary: boolean): void {
    const { node, client } = this.#parts;
    this.#refused = 0;
    if (node.readyState !== node.OPEN) return;
    node.send(message, { binary: isBinary }, () => {
      if (node.bufferedAmount <= MAX_WAITING_BYTES && client.isPaused) client.resume();
    });
    if (node.bufferedAmount > MAX_WAITING_BYTES) client.pause();
  }

  #fromNode(data: RawData, isBinary: boolean): void {
    const { client, node } = this.#parts;
    if (client.readyState !== client.OPEN) return;
    client.send(data, { binary: isBinary }, () => {
      if (client.bufferedAmount > MAX_WAITING_BYTES) return;
      this.#stuckSince = undefined;
      if (node.isPaused) node.resume();
    });
    if (client.bufferedAmount <= MAX_WAITING_BYTES) return;
    this.#stuckSince ??= performance.now();
    node.pause();
  }

  /** An answer to a ping is cheap, thousands are not. */
  #pinged(): void {
    this.#hear();
    if (this.#parts.take(1) > 0) this.#refuse('limited', undefined);
  }

  #refuse(reason: 'limited' | 'invalid' | 'batch' | 'denied', text: string | undefined): void {
    const { client, metrics, policy } = this.#parts;
    metrics.rejected(reason);
    this.#refused++;
    if (client.readyState !== client.OPEN) return;
    if (this.#refused >= policy().settings['web-socket']['max-refused']) {
      client.close(CLOSE.policy, `${this.#refused} messages refused one after another`);
      // What it has sent already is not worth reading.
      setTimeout(() => client.terminate(), CLOSE_GRACE_MS).unref();
      this.#parts.node.terminate();
    } else if (text !== undefined) client.send(text);
  }

  #hear(): void {
    this.#heardAt = performance.now();
    this.#pingedAt = undefined;
  }

  #over(code: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { node } = this.#parts;
    node.resume();
    if (node.readyState === node.OPEN) node.close(sendable(code));
    setTimeout(() => node.terminate(), CLOSE_GRACE_MS).unref();
    this.#parts.ended();
  }
}

/** Some codes only say how a connection was lost: they cannot be sent. */
function sendable(code: number): number {
  if (code === CLOSE.noStatus) return CLOSE.normal;
  return code === 1006 || code === 1015 || code < CLOSE.normal ? CLOSE.failed : code;
}
