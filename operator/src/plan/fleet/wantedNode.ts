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

/** The nodes that the spec asks for, by ordinal. */
export function wantedNodes({ metadata, spec }: ChainNodeFleet): readonly WantedNode[] {
  return Array.from({ length: spec.replicas }, (_, i) => {
    const ordinal = spec.ordinals.start + i;
    const override = spec.overrides?.find((one) => one.ordinal === ordinal);
    const common = {
      ...spec.template.spec,
      ...(spec.retain.whenDeleted === 'Delete' && { deletionPolicy: 'Delete' }),
      ...(spec.peerMesh && { peers: meshed(spec.template.spec.peers, metadata.name) }),
    };
    const merged = mergePatch(common, override?.patch ?? {}) as JsonObject;
    return {
      ordinal,
      revision: revisionOf({ spec: merged, metadata: spec.template.metadata }),
      spec: merged,
    };
  });
}

function meshed(peers: ChainNodeFleet['spec']['template']['spec']['peers'], fleet: string): JsonObject {
  return { ...peers, selector: peers.selector ?? { matchLabels: { [LABELS.fleet]: fleet } } };
}

/** Equal wishes have equal revisions, whatever the order of their keys. */
export const revisionOf = (wish: object): string => digestOf(wish).slice(0, 10);

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
    ...{ apiVersion: API_VERSION, kind: NODE_KIND },
    metadata: {
      ...{ name, namespace: metadata.namespace },
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
