import {
  ANNOTATIONS,
  API_VERSION,
  type ChainNodeFleet,
  type JsonObject,
  LABELS,
  NODE_KIND,
} from '../../api/index.ts';
import { digestOf, type Manifest, ownerOf } from '../../resources/index.ts';

/** A node as the fleet wants it: what it applies, and what tells two wishes apart. */
export interface WantedNode {
  readonly ordinal: number;
  /** Of this node's own spec: another ordinal's override does not change it. */
  readonly revision: string;
  readonly spec: JsonObject;
}

/** A pass plans twice, before and behind a look at the pods: digests of one spec are made once. */
const known = new WeakMap<ChainNodeFleet['spec'], readonly WantedNode[]>();
const revisions = new WeakMap<ChainNodeFleet['spec'], string>();

/** The nodes that the spec asks for, by ordinal. */
export function wantedNodes(fleet: ChainNodeFleet): readonly WantedNode[] {
  const wanted = known.get(fleet.spec) ?? wantedBy(fleet);
  known.set(fleet.spec, wanted);
  return wanted;
}

/** Of the template with its overrides. */
export function rolloutRevision({ spec }: ChainNodeFleet): string {
  const { template, overrides } = spec;
  const revision = revisions.get(spec) ?? revisionOf({ template, overrides });
  revisions.set(spec, revision);
  return revision;
}

function wantedBy({ metadata, spec }: ChainNodeFleet): readonly WantedNode[] {
  const common = {
    ...spec.template.spec,
    ...(spec.retain.whenDeleted === 'Delete' && { deletionPolicy: 'Delete' }),
    ...(spec.peerMesh && { peers: meshed(spec.template.spec.peers, metadata.name) }),
  } as unknown as JsonObject;
  const wish = (merged: JsonObject) => ({
    revision: revisionOf({ spec: merged, metadata: spec.template.metadata }),
    spec: merged,
  });
  // One digest for all that have no override.
  const most = wish(common);
  return Array.from({ length: spec.replicas }, (_, i) => {
    const ordinal = spec.ordinals.start + i;
    const override = spec.overrides?.find((one) => one.ordinal === ordinal);
    return { ordinal, ...(override ? wish(mergePatch(common, override.patch) as JsonObject) : most) };
  });
}

function meshed(peers: ChainNodeFleet['spec']['template']['spec']['peers'], fleet: string): JsonObject {
  return { ...peers, selector: peers.selector ?? { matchLabels: { [LABELS.fleet]: fleet } } };
}

/** Equal wishes have equal revisions, whatever the order of their keys. */
const revisionOf = (wish: object): string => digestOf(wish).slice(0, 10);

/** JSON merge patch. Source: RFC 7396. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of the second node of an ordinal in a surge. */
export const twinName = ({ metadata }: ChainNodeFleet, { ordinal, revision }: WantedNode): string =>
  `${metadata.name}-${ordinal}-${revision.slice(0, 6)}`;

/** A node that came beside another one has a volume and a key of its own, whatever the template names. */
const WITHOUT_SOURCES = { storage: { source: null }, nodeKey: null };

/** The ChainNode to apply; `annotations` are the fleet's own notes on it. */
export function nodeManifest(
  fleet: ChainNodeFleet,
  wanted: WantedNode,
  {
    name,
    annotations = {},
  }: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> },
): Manifest {
  const { metadata, spec } = fleet;
  const { labels = {}, annotations: given = {} } = spec.template.metadata;
  return {
    apiVersion: API_VERSION,
    kind: NODE_KIND,
    metadata: {
      name,
      namespace: metadata.namespace,
      labels: {
        ...labels,
        'app.kubernetes.io/part-of': 'chain',
        'app.kubernetes.io/managed-by': 'chain-operator',
        [LABELS.fleet]: metadata.name,
        [LABELS.ordinal]: String(wanted.ordinal),
      },
      annotations: { ...given, ...annotations, [ANNOTATIONS.revision]: wanted.revision },
      ownerReferences: [ownerOf(fleet)],
    },
    spec:
      name === `${metadata.name}-${wanted.ordinal}`
        ? wanted.spec
        : (mergePatch(wanted.spec, WITHOUT_SOURCES) as JsonObject),
  };
}
