/** Where a right is given: in each namespace with nodes, in the cluster as well, or in the operator's own alone. */
type Scope = 'nodes' | 'cluster' | 'own';

export interface Right {
  readonly group: string;
  readonly resource: string;
  readonly scope: Scope;
  /** By verb: what it is used for. */
  readonly verbs: Readonly<Record<string, string>>;
  /** Objects by name alone. */
  readonly names?: readonly string[];
  /** Asked of the API server by nobody, but by its admission: why it is there. */
  readonly byAdmission?: true;
}

const FOLLOW = { list: 'the cache of it is filled', watch: 'the cache of it is kept up' };
const MAKE = {
  get: 'before it is made: nothing is applied over an object of somebody else',
  create: 'it is made for a node or a fleet',
  patch: 'what differs from the spec is put back, by server-side apply',
};
const DROP = { delete: 'the spec wants none any more' };
const object = (group: string, resource: string, verbs: Right['verbs']): Right => ({
  group,
  resource,
  scope: 'nodes',
  verbs,
});

/** Everything that the operator may do; manifests, chart and page are made from it. */
export const OPERATOR_RIGHTS: readonly Right[] = [
  object('chain.dev', 'chainnodes', {
    get: 'each pass reads the node itself, for what it decides may delete',
    ...FOLLOW,
    create: 'a fleet makes its nodes',
    patch: 'finalizer; a fleet changes the spec of its nodes, one at a time',
    delete: 'a fleet is scaled down, or a surge has ended',
  }),
  object('chain.dev', 'chainnodefleets', { get: 'each pass reads the fleet itself', ...FOLLOW }),
  object('chain.dev', 'chaindisruptionbudgets', { list: 'whether one is about a node that is to go' }),
  object('chain.dev', 'chainnodes/status', { patch: 'what the node is' }),
  object('chain.dev', 'chainnodefleets/status', { patch: 'what the fleet is' }),
  object('chain.dev', 'chaindisruptionbudgets/status', { patch: 'which nodes it has let go' }),
  ...['chainnodes/finalizers', 'chainnodefleets/finalizers'].map(
    (resource): Right => ({
      ...object('chain.dev', resource, {
        update: 'owned objects block the deletion of their owner, which some clusters check (OpenShift)',
      }),
      byAdmission: true,
    }),
  ),
  object('apps', 'statefulsets', { ...MAKE, ...FOLLOW }),
  object('', 'services', { ...MAKE, ...FOLLOW }),
  object('', 'configmaps', {
    ...MAKE,
    get: 'also those that a spec names: the genesis, peers',
    ...FOLLOW,
    ...DROP,
  }),
  object('', 'serviceaccounts', { ...MAKE, ...FOLLOW, ...DROP }),
  object('', 'persistentvolumeclaims', {
    get: 'whether the volume is there',
    ...FOLLOW,
    create: 'the volume is made',
    patch: 'it grows; which other claim has taken its place',
    delete: '`deletionPolicy: Delete`, or superseded: of a claim that the operator made',
  }),
  object('policy', 'poddisruptionbudgets', { ...MAKE, ...FOLLOW, ...DROP }),
  object('networking.k8s.io', 'networkpolicies', { ...MAKE, ...FOLLOW, ...DROP }),
  object('', 'pods', {
    get: 'the state of a node',
    ...FOLLOW,
    list: 'also who has a volume, before data on it are touched',
    patch: 'whether Services send clients to it',
  }),
  object('', 'pods/log', { get: 'startup lines, when a migration is verified' }),
  object('batch', 'jobs', {
    get: 'the result of a step',
    ...FOLLOW,
    create: 'a step of a migration',
    delete: 'its migration has ended: pods of Jobs hold the deletion of the volume',
  }),
  object('discovery.k8s.io', 'endpointslices', { list: 'whether clients still reach a node that drains' }),
  object('snapshot.storage.k8s.io', 'volumesnapshots', {
    get: 'whether it is ready',
    create: '`migration.backup.volumeSnapshot`',
    delete: '`deletionPolicy: Delete`, or superseded: of one that the operator made',
  }),
  object('', 'secrets', {
    get: 'by name: the key that the operator made, those that the spec of a node names, kept backups',
    create: 'the key of a node; the keys of a backup',
    delete: '`deletionPolicy: Delete`; a kept backup whose time is over: those that the operator made',
  }),
  object('events.k8s.io', 'events', {
    list: 'the status page',
    watch: 'the status page',
    create: 'what the operator did',
    patch: 'that it did so again',
  }),
  object('monitoring.coreos.com', 'podmonitors', { ...MAKE, ...DROP }),
  {
    group: '',
    resource: 'nodes',
    scope: 'cluster',
    verbs: { get: 'whether the machine of a pod that holds the volume answers' },
  },
  {
    group: 'coordination.k8s.io',
    resource: 'leases',
    scope: 'own',
    verbs: {
      get: 'who leads; who signs with a validator key, and what it has signed',
      create: 'the first leads; the first signs',
      update: 'it goes on leading; a validator key has signed more, or is free',
    },
  },
  {
    group: '',
    resource: 'secrets',
    scope: 'own',
    names: ['chain-operator-sealing'],
    verbs: { get: 'the seed of what backups are sealed to' },
  },
  {
    group: '',
    resource: 'secrets',
    scope: 'own',
    verbs: { create: 'that seed is made, once; a name cannot bound who creates' },
  },
];

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** Rules of a role, one a resource. */
export function rulesOf(scopes: readonly Scope[]): readonly Rule[] {
  return OPERATOR_RIGHTS.filter(({ scope }) => scopes.includes(scope)).map((right) => ({
    apiGroups: [right.group],
    resources: [right.resource],
    ...(right.names && { resourceNames: right.names }),
    verbs: Object.keys(right.verbs),
  }));
}
