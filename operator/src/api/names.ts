/** Names that the operator puts on objects, and that people put on them to tell it something. */
export const GROUP = 'chain.dev';
export const VERSION = 'v1alpha1';
export const API_VERSION = `${GROUP}/${VERSION}`;
export const NODE_KIND = 'ChainNode';
export const FLEET_KIND = 'ChainNodeFleet';
export const BUDGET_KIND = 'ChainDisruptionBudget';
export const NODE_PLURAL = 'chainnodes';
export const FLEET_PLURAL = 'chainnodefleets';
export const BUDGET_PLURAL = 'chaindisruptionbudgets';

export const LABELS = {
  /** On everything of a node: its name. */
  node: `${GROUP}/node`,
  /** On everything of a fleet: its name. */
  fleet: `${GROUP}/fleet`,
  /** On the nodes of a fleet: which of them. */
  ordinal: `${GROUP}/ordinal`,
  chain: `${GROUP}/chain`,
  role: `${GROUP}/role`,
  /** `true` on pods that Services send clients to. */
  serving: `${GROUP}/serving`,
  /** On backups of keys: the node that they are of. */
  backupOf: `${GROUP}/backup-of`,
  /** On Leases of validator keys: the address of the key. */
  signer: `${GROUP}/signer`,
  /** `operator` on its pods, whatever its release is called. */
  component: `${GROUP}/component`,
  /** On namespaces that may read metrics. */
  monitoring: `${GROUP}/monitoring`,
} as const;

export const ANNOTATIONS = {
  /** On a claim whose volume a migration has spoiled: the claim, from its snapshot, that the node uses in its place. */
  replacedBy: `${GROUP}/replaced-by`,
  /** What an object was rendered from. */
  specHash: `${GROUP}/spec-hash`,
  /** People approve a migration by its id where the policy is Manual. */
  approve: `${GROUP}/approve`,
  /** People say what a held migration shall do; each new value is obeyed once. */
  retry: `${GROUP}/retry`,
  resync: `${GROUP}/resync`,
  abort: `${GROUP}/abort`,
  rollback: `${GROUP}/rollback`,
  /** People take up a paused rollout of a fleet; the value is its revision. */
  resume: `${GROUP}/resume`,
  /** People promote a canary; the value is the rollout's revision. */
  promote: `${GROUP}/promote`,
  /** On the nodes of a fleet: the revision of its template. */
  revision: `${GROUP}/revision`,
  /** On the nodes of a fleet: since when it may be taken away; the fleet takes it off when the node serves again. */
  turn: `${GROUP}/turn`,
  /** On the nodes of a fleet that are not simply members: `Twin`, `Leaving` or `Retired`, and since when. */
  part: `${GROUP}/part`,
  partSince: `${GROUP}/part-since`,
  /** People let a validator begin on another volume: it signs nothing up to this height. */
  signFrom: `${GROUP}/sign-from`,
  /** People let a node whose key is lost take another; the value is the id that is given up. */
  newNodeKey: `${GROUP}/new-node-key`,
  /** On claims: the node that uses it, and the id that the node is known by. */
  usedBy: `${GROUP}/used-by`,
  nodeId: `${GROUP}/node-id`,
  /** On the Lease of a validator key: what it has signed, by chain. */
  signed: `${GROUP}/signed`,
  /** On twins: `Same`, `NotNeeded`, or how their answers differ from those of the node that they shall replace. */
  compared: `${GROUP}/compared`,
} as const;

export const FINALIZERS = { node: `${GROUP}/node`, fleet: `${GROUP}/fleet` } as const;

/** Whom server-side apply notes as the owner of fields. */
export const FIELD_MANAGERS = {
  spec: 'chain-operator',
  /** Replicas alone, so that applying all else never starts a node that is held. */
  scale: 'chain-operator-scale',
} as const;
