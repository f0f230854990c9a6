import { TEMPLATE_SPEC } from './chainNodeSpec.ts';
import type { ValueOf } from './field.ts';
import {
  choice,
  countOrPercent,
  flag,
  group,
  list,
  mapOf,
  span,
  text,
  verbatim,
  whole,
} from './fieldKinds.ts';
import { WINDOWS } from './spec/migrationFields.ts';
import { SHARED_SERVICE } from './spec/networkFields.ts';

const TEMPLATE = group('What each node shall be.', {
  metadata: group('Labels and annotations of the nodes.', {
    labels: mapOf('Labels.', text('', { max: 63 })),
    annotations: mapOf('Annotations.', text('', { max: 4096 })),
  }).default({}),
  spec: TEMPLATE_SPEC,
});

const UPDATE = group('How nodes get another spec.', {
  strategy: choice(
    'Rolling: one after another, in place. Surge: migrations fill a second volume beside the old one.',
    ['Rolling', 'Surge'],
  ).default('Rolling'),
  maxSurge: whole('Second nodes at once.', { min: 1, max: 64 }).default(1),
  partition: whole('Nodes with a lower ordinal keep what they have.').default(0),
  delay: span('Wait between two nodes.').default('0s'),
  soak: span('Time for which the old volume is kept after a surge.').default('30m'),
  canary: group('One goes first, and its answers are compared with those of others.', {
    count: whole('How many go first; 0 is none.', { max: 64 }).default(0),
    soak: span('How long they run before the others follow.').default('30m'),
    autoPromote: flag('The others follow by themselves when the answers are the same.').default(false),
  }).default({}),
  windows: WINDOWS,
}).default({});

export const CHAIN_NODE_FLEET_SPEC = group('What the fleet shall be.', {
  replicas: whole('How many nodes.', { max: 1000 }).default(3),
  template: TEMPLATE.required(),
  overrides: list(
    'What single nodes have else.',
    group('An override.', {
      ordinal: whole('Of which node.').required(),
      patch: verbatim('JSON merge patch (RFC 7396) for its spec.').required(),
    }),
    { by: ['ordinal'], max: 128 },
  ),
  ordinals: group('How nodes are numbered.', { start: whole('The first.').default(0) }).default({}),
  service: SHARED_SERVICE,
  peerMesh: flag('Each node has all others as peers.').default(true),
  disruption: group('How many nodes may be away, for whatever reason.', {
    maxUnavailable: countOrPercent(
      'Away at once: a count or a percentage, rounded down, at least 1.',
    ).default(1),
    minSynced: whole('Nodes that must serve whatever happens.'),
  }).default({}),
  update: UPDATE,
  pdb: group('A PodDisruptionBudget over all nodes.', { enabled: flag('It is made.').default(true) }).default(
    {},
  ),
  retain: group('What becomes of volumes and keys.', {
    whenDeleted: choice('When the fleet is deleted.', ['Retain', 'Delete']).default('Retain'),
    whenScaled: choice('When the fleet is made smaller.', ['Retain', 'Delete']).default('Retain'),
  }).default({}),
  paused: flag('The operator leaves the fleet as it is; nodes go on by themselves.').default(false),
}).required();

export type ChainNodeFleetSpec = ValueOf<typeof CHAIN_NODE_FLEET_SPEC>;
