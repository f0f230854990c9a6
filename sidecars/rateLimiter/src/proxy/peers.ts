import type { Duplex } from 'node:stream';
import { clientKey, type IpBytes } from '@chain/platform';
import { clientBehind } from '../client/index.ts';
import type { Policy } from './policy.ts';

/** Who a request is from. */
export interface Client {
  /** What clients are told apart by. */
  readonly key: string;
  /** Its calls and connections are not counted. */
  readonly isExempt: boolean;
}

const NOBODY: Client = { key: '', isExempt: false };

/** Whoever is at the other end of a connection, judged anew when the policy changes. */
class Peer {
  readonly address: IpBytes;
  #policy: Policy | undefined;
  #client = NOBODY;
  #isTrusted = false;

  constructor(address: IpBytes) {
    this.address = address;
  }

  isTrusted(policy: Policy): boolean {
    this.#judge(policy);
    return this.#isTrusted;
  }

  client(policy: Policy): Client {
    this.#judge(policy);
    return this.#client;
  }

  #judge(policy: Policy): void {
    if (policy === this.#policy) return;
    this.#policy = policy;
    this.#isTrusted = policy.isTrusted(this.address);
    this.#client = clientAt(this.address, policy);
  }
}

function clientAt(address: IpBytes, policy: Policy): Client {
  const key = clientKey(address, policy.settings.limit['ipv6-prefix']);
  return { key, isExempt: policy.isExempt(address) };
}

/** Who is connected, and how often. */
export class Peers {
  readonly #peers = new WeakMap<Duplex, Peer>();
  readonly #connections = new Map<string, number>();

  /**
   * Remembers a connection until it closes. False, and nothing remembered, when its address has as many as it may;
   * trusted proxies and exempt clients may have any number.
   */
  admit(socket: Duplex, address: IpBytes, policy: Policy): boolean {
    const peer = new Peer(address);
    const most = policy.settings.clients['max-connections'];
    const { key, isExempt } = peer.client(policy);
    const count = this.#connections.get(key) ?? 0;
    if (most > 0 && count >= most && !isExempt && !peer.isTrusted(policy)) return false;
    this.#peers.set(socket, peer);
    this.#connections.set(key, count + 1);
    socket.once('close', () => this.#forget(key));
    return true;
  }

  /** The client behind a request of this connection. */
  clientOf(socket: Duplex, forwardedFor: string | undefined, policy: Policy): Client {
    const peer = this.#peers.get(socket);
    if (!peer) return NOBODY;
    if (forwardedFor === undefined || !peer.isTrusted(policy)) return peer.client(policy);
    const behind = clientBehind(peer.address, forwardedFor, (address) => policy.isTrusted(address));
    return clientAt(behind, policy);
  }

  /** What goes on to the node: what a trusted proxy said, and the proxy; else the peer alone. */
  forwardedFor(socket: Duplex, said: string | undefined, policy: Policy): string {
    const peer = this.#peers.get(socket);
    const own = clientKey(peer?.address ?? new Uint8Array(4), 128);
    const text = own.includes('.') ? own : own.replaceAll(/(.{4})(?!$)/g, '$1:');
    return said !== undefined && peer?.isTrusted(policy) ? `${said}, ${text}` : text;
  }

  #forget(key: string): void {
    const left = (this.#connections.get(key) ?? 1) - 1;
    if (left > 0) this.#connections.set(key, left);
    else this.#connections.delete(key);
  }
}
