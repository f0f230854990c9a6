/** Every limit has a default; times in ms, sizes in bytes. */
export interface WebSocketLimits {
  /** A larger message closes the connection with code 1009. */
  readonly maxMessageBytes: number;
  /** Bytes of memory of all messages that are not whole yet; the oldest of them lose their connections (code 1013). */
  readonly maxPartialBytes: number;
  readonly maxConnections: number;
  /** Messages of one peer that are worked on at once; above it the peer is not read from. */
  readonly maxConcurrentMessages: number;
  /** Above so many unread bytes a peer is not read from either: it gets no more answers before it takes those. */
  readonly maxBufferedAnswerBytes: number;
  /** Above so many unread bytes of pushed texts a peer is dropped as a slow consumer (code 1013). */
  readonly maxBufferedPushBytes: number;
  /** Silence after which a peer is pinged. */
  readonly pingIntervalMs: number;
  /** A peer that does not answer a ping within this time is cut. */
  readonly pongTimeoutMs: number;
  /** A peer without requests and without pushes is closed after this time; 0: never. */
  readonly idleTimeoutMs: number;
  /** How long a peer has to take the reason for which it is closed. */
  readonly closeGraceMs: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_WEB_SOCKET_LIMITS: WebSocketLimits = {
  maxMessageBytes: 5 * MIB,
  maxPartialBytes: 128 * MIB,
  maxConnections: 2000,
  maxConcurrentMessages: 32,
  maxBufferedAnswerBytes: 4 * MIB,
  maxBufferedPushBytes: 4 * MIB,
  pingIntervalMs: 30_000,
  pongTimeoutMs: 30_000,
  idleTimeoutMs: 3_600_000,
  closeGraceMs: 1_000,
};
