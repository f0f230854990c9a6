import type { Lifecycle, Logger } from '@chain/platform';
import { type ChainNode, type ChainNodeFleet, LABELS } from '../api/index.ts';
import { type CachedObjects, PeerGraph, type SeenNodes } from '../controller/index.ts';
import {
  type Change,
  Informer,
  KINDS,
  type KubeObject,
  type OpenedClient,
  type ResourceKind,
} from '../kube/index.ts';
import { CHAIN_NODE, CHAIN_NODE_FLEET } from '../resources/index.ts';

/** Everything that belongs to a node, but Secrets: nobody lists these. */
const OWNED: readonly ResourceKind<KubeObject>[] = [
  KINDS.statefulSet,
  KINDS.pod,
  KINDS.persistentVolumeClaim,
  KINDS.job,
  KINDS.configMap,
  KINDS.service,
  KINDS.serviceAccount,
  KINDS.podDisruptionBudget,
  KINDS.networkPolicy,
];

export interface CacheOptions {
  readonly namespaces: readonly string[];
  readonly selector: string;
}

export interface CacheDeps {
  readonly connection: OpenedClient;
  readonly logger: Logger;
  readonly onAlive: (kind: string) => void;
  /** `namespace/name`. */
  readonly onNode: (key: string) => void;
  /** The node has other peers, and more may follow. */
  readonly onPeers: (key: string) => void;
  readonly onFleet: (key: string) => void;
}

export interface ResourceCaches {
  readonly nodes: Informer<ChainNode>;
  readonly fleets: Informer<ChainNodeFleet>;
  readonly all: readonly Informer<never>[];
  /** What belongs to nodes. */
  readonly objects: CachedObjects;
  readonly seen: SeenNodes;
  /** `id@host:port` of those that `peers.selector` of a node finds. */
  peersOf(node: ChainNode): readonly string[];
  start(): void;
}

/** Follows the resources and everything that belongs to one. */
export function openCaches(options: CacheOptions, deps: CacheDeps, lifecycle: Lifecycle): ResourceCaches {
  const { selector, namespaces } = options;
  const informerDeps = { transport: deps.connection.transport, logger: deps.logger, onAlive: deps.onAlive };
  const own = { namespaces, ...(selector !== '' && { labelSelector: selector }) };
  const nodes = lifecycle.own(new Informer({ kind: CHAIN_NODE, ...own }, informerDeps));
  const fleets = lifecycle.own(new Informer({ kind: CHAIN_NODE_FLEET, ...own }, informerDeps));
  const peers = new PeerGraph(() => nodes.list());
  const changes = new Map<string, number>();
  const change = (key: string): void => {
    changes.set(key, (changes.get(key) ?? 0) + 1);
  };
  const onNode = (key: string): void => {
    change(key);
    deps.onNode(key);
  };
  nodes.onChange(({ key, object, before }) => {
    if (isNews(object, before) || stepsOf(object) !== stepsOf(before)) onNode(key);
    for (const other of peers.changed({ object, before })) {
      change(other);
      deps.onPeers(other);
    }
    if (object === undefined) changes.delete(key);
    tellOwner(object ?? before, LABELS.fleet, deps.onFleet);
  });
  fleets.onChange(({ key, object, before }) => {
    if (isNews(object, before)) deps.onFleet(key);
  });
  const owned = OWNED.map((kind) => {
    const informer = lifecycle.own(
      new Informer({ kind, namespaces, labelSelector: LABELS.node }, informerDeps),
    );
    informer.onChange((change: Change<KubeObject>) => {
      // What is new was made by the operator itself, or is found by the first look at the node.
      if (change.before !== undefined) tellOwner(change.object ?? change.before, LABELS.node, onNode);
      else if (kind === KINDS.pod) tellOwner(change.object, LABELS.node, onNode);
    });
    return informer;
  });
  const all = [nodes, fleets, ...owned] as unknown as readonly Informer<never>[];
  return {
    nodes,
    fleets,
    all,
    objects: cachedObjects(owned),
    seen: { node: (key) => nodes.get(key), changesOf: (key) => changes.get(key) ?? 0 },
    peersOf: (node) => peers.peersOf(node),
    start: () => {
      for (const informer of all) informer.start();
    },
  };
}

function cachedObjects(informers: readonly Informer<KubeObject>[]): CachedObjects {
  const byKind = new Map(informers.map((informer) => [informer.kind, informer]));
  return {
    isWatched: (kind) => byKind.has(kind),
    get: (kind, key) => byKind.get(kind)?.get(key),
  };
}

/** What the next step of a migration follows from. */
function stepsOf(node: ChainNode | undefined): string {
  return JSON.stringify([node?.status?.migration, node?.status?.stateStore]);
}

/** A status that was written is no reason to look again; all else of the object is. */
function isNews(object: ChainNode | ChainNodeFleet | undefined, before: typeof object): boolean {
  if (object === undefined || before === undefined) return true;
  const { metadata: a } = object;
  const { metadata: b } = before;
  return (
    a.uid !== b.uid ||
    a.generation !== b.generation ||
    a.deletionTimestamp !== b.deletionTimestamp ||
    JSON.stringify([a.labels, a.annotations]) !== JSON.stringify([b.labels, b.annotations])
  );
}

function tellOwner(object: KubeObject | undefined, label: string, tell: (key: string) => void): void {
  const name = object?.metadata?.labels?.[label];
  if (name !== undefined) tell(`${object?.metadata?.namespace}/${name}`);
}
