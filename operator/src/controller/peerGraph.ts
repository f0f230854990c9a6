import type { ChainNode } from '../api/index.ts';
import { keyOf } from '../kube/index.ts';
import { matchesSelector, peerAddress } from '../resources/index.ts';

/** Peers of a node among those that its selector finds; with fewer others it has all of them. */
const MAX_PEERS = 10;

/** What has become of a node: `object` is missing when it is gone, `before` when it is new. */
export interface NodeChange {
  readonly object?: ChainNode | undefined;
  readonly before?: ChainNode | undefined;
}

interface Peer {
  readonly uid: string;
  readonly hash: number;
  readonly address: string;
}

interface Choice {
  /** `namespace/name` of who has chosen. */
  readonly key: string;
  readonly hash: number;
  readonly peers: readonly Peer[];
  /** The score that a new one must be below to be chosen. */
  readonly worst: number;
  /** How far the next one on the ring is. */
  readonly gap: number;
}

interface Group {
  readonly namespace: string;
  readonly selector: Readonly<Record<string, unknown>>;
  readonly peers: Map<string, Peer>;
  readonly choices: Map<string, Choice>;
}

/**
 * Who is whose peer among the nodes that `peers.selector` finds: with many, a random graph of a bounded degree that
 * follows from the nodes' uids alone, so that every operator draws the same. Each node has the next one on a ring, which
 * keeps the graph in one piece, and the best of the others by a score of the pair: one that comes or goes changes the
 * peers of about as many as it has itself, and those alone are told.
 */
export class PeerGraph {
  readonly #nodes: () => readonly ChainNode[];
  readonly #groups = new Map<string, Group>();

  /** `nodes`: all that are known. */
  constructor(nodes: () => readonly ChainNode[]) {
    this.#nodes = nodes;
  }

  /** `id@host:port` of those whose id is known; the others follow when it is. */
  peersOf(node: ChainNode): readonly string[] {
    const { selector } = node.spec.peers;
    if (selector === undefined) return [];
    const group = this.#groupOf(node.metadata.namespace, selector);
    const { uid } = node.metadata;
    const choice = group.choices.get(uid) ?? chosenBy(node, group);
    group.choices.set(uid, choice);
    return choice.peers.map(({ address }) => address);
  }

  /** Keys of the nodes that have other peers than before. */
  changed({ object, before }: NodeChange): readonly string[] {
    const uid = (object ?? before)?.metadata.uid ?? '';
    const told: string[] = [];
    for (const [name, group] of this.#groups) {
      const isGone = object?.metadata.uid !== before?.metadata.uid || object === undefined;
      if (before && isGone) group.choices.delete(before.metadata.uid);
      if (before && isGone && before.metadata.uid !== uid)
        told.push(...replace(group, before.metadata.uid, undefined));
      told.push(...replace(group, uid, object && peerIn(group, object)));
      if (group.choices.size === 0) this.#groups.delete(name);
    }
    return told;
  }

  #groupOf(namespace: string, selector: Group['selector']): Group {
    const name = `${namespace} ${JSON.stringify(selector)}`;
    const known = this.#groups.get(name);
    if (known) return known;
    const group: Group = { namespace, selector, peers: new Map(), choices: new Map() };
    for (const node of this.#nodes()) {
      const peer = peerIn(group, node);
      if (peer) group.peers.set(peer.uid, peer);
    }
    this.#groups.set(name, group);
    return group;
  }
}

function peerIn({ namespace, selector }: Group, { metadata, status, ...node }: ChainNode): Peer | undefined {
  const { uid, labels = {} } = metadata;
  const id = status?.nodeId;
  if (metadata.namespace !== namespace || id === undefined || !matchesSelector(selector, labels))
    return undefined;
  return { uid, hash: hashOf(uid), address: peerAddress({ ...node, metadata }, id) };
}

/** The group with this peer in place of the one of the uid; keys of those whose choice was, or would be, another. */
function replace({ peers, choices }: Group, uid: string, peer: Peer | undefined): readonly string[] {
  const before = peers.get(uid);
  if (before?.address === peer?.address) return [];
  if (peer) peers.set(uid, peer);
  else peers.delete(uid);
  const told: string[] = [];
  for (const [chooser, choice] of choices) {
    if (chooser === uid) continue;
    const had = before !== undefined && choice.peers.includes(before);
    const wants =
      peer !== undefined &&
      (score(choice.hash, peer.hash) < choice.worst || gapOf(choice.hash, peer.hash) < choice.gap);
    if (!had && !wants) continue;
    choices.delete(chooser);
    told.push(choice.key);
  }
  return told;
}

function chosenBy(node: ChainNode, group: Group): Choice {
  const { uid } = node.metadata;
  const hash = hashOf(uid);
  const key = keyOf(node);
  const others = [...group.peers.values()].filter((peer) => peer.uid !== uid);
  if (others.length <= MAX_PEERS)
    return { key, hash, peers: others, worst: Number.POSITIVE_INFINITY, gap: Number.POSITIVE_INFINITY };
  const next = others.reduce((a, b) => (gapOf(hash, b.hash) < gapOf(hash, a.hash) ? b : a));
  const best = lowest(others, hash, next);
  const worst = best.at(-1)!.score;
  return { key, hash, peers: [next, ...best.map(({ peer }) => peer)], worst, gap: gapOf(hash, next.hash) };
}

/** The best by score but `without`, which is chosen already; not all of them are sorted. */
function lowest(others: readonly Peer[], hash: number, without: Peer) {
  const best: { readonly peer: Peer; readonly score: number }[] = [];
  for (const peer of others) {
    const own = score(hash, peer.hash);
    if (peer === without || (best.length === MAX_PEERS - 1 && own >= best.at(-1)!.score)) continue;
    const at = best.findIndex((one) => own < one.score);
    best.splice(at < 0 ? best.length : at, 0, { peer, score: own });
    best.length = Math.min(best.length, MAX_PEERS - 1);
  }
  return best;
}

/** Distance forward on a ring of 2^32. */
const gapOf = (from: number, to: number): number => (to - from) >>> 0;

/** Of a pair in this order; as good as random. */
const score = (a: number, b: number): number => mixed(Math.imul(a, 0x9e3779b1) ^ b);

/** FNV-1a, mixed. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mixed(hash);
}

/** Each bit of the result hangs on each of the input. Source: MurmurHash3's finalizer. */
function mixed(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
