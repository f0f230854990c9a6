import type { Socket } from 'node:net';
import { createRandom } from '../random.ts';
import { type Answer, holdOpen } from './wire.ts';

export interface Ports {
  readonly jsonRpc: number;
  readonly consensus: number;
  readonly p2p: number;
}

const noise = (length: number, seed: number): Uint8Array => {
  const random = createRandom(seed);
  return Uint8Array.from({ length }, () => random.below(256));
};

const head = (more: string): string =>
  `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${more}`;
const HANDSHAKE =
  'GET /websocket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';

/** Connections that are begun and never ended; each ends when the other side has had enough. */
export function socketAttacks(
  { jsonRpc, consensus, p2p }: Ports,
  held: Set<Socket>,
): Record<string, () => Promise<Answer>> {
  return {
    'heads that do not end, at JSON-RPC': () => holdOpen(jsonRpc, head('X-'), held),
    'heads that do not end, at the consensus RPC': () => holdOpen(consensus, head('X-'), held),
    'bodies that do not come, at JSON-RPC': () =>
      holdOpen(jsonRpc, head('Content-Length: 100000\r\n\r\n{'), held),
    'bodies that do not come, at the consensus RPC': () =>
      holdOpen(consensus, head('Content-Length: 100000\r\n\r\n{'), held),
    'frames that are none': () => holdOpen(consensus, `${HANDSHAKE}${'\u00ff'.repeat(64)}`, held),
    'noise to peers': () => holdOpen(p2p, noise(4096, held.size), held),
  };
}
