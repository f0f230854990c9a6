import type { ValueOf } from './field.ts';
import { choice, flag, group, list, text, timestamp, whole } from './fieldKinds.ts';
import { FLEET_CONDITIONS, ROLLOUT_PHASES } from './fleetConditions.ts';
import { conditionsField } from './status/conditionFields.ts';

const names = (about: string) => list(about, text('', { max: 253 }), { max: 1000 });

const ROLLOUT = group('The newest rollout.', {
  revision: text('Revision of the template.', { max: 32 }).required(),
  phase: choice('Where it is.', ROLLOUT_PHASES).required(),
  active: names('Nodes that are being changed.'),
  waiting: names('Nodes that still have the old template.'),
  blockedBy: text('Why the next node has to wait.', { max: 4096 }),
  startedAt: timestamp('When it began.'),
  finishedAt: timestamp('When it ended.'),
  lastGrantAt: timestamp('When a node was last begun with.'),
  canary: group('Those that went first.', {
    nodes: names('They.'),
    syncedAt: timestamp('Since when all of them serve.'),
    comparedAt: timestamp('When answers were last compared.'),
    compared: whole('Answers that were compared.'),
    result: choice('What came of it.', ['Pending', 'Same', 'Different', 'Promoted']),
    differences: list('Answers that differ.', text('', { max: 1024 }), { max: 16 }),
  }),
});

const MEMBERS = list(
  'Every node, by its name.',
  group('A node.', {
    name: text('Name of the ChainNode.', { max: 253 }).required(),
    ordinal: whole('Its number.').required(),
    part: choice('Serving; beside the old one; serving until its twin does; the old one.', [
      'Member',
      'Twin',
      'Leaving',
      'Retired',
    ] as const).required(),
    revision: text('Revision of the template that it has.', { max: 32 }),
    since: timestamp('Since when it has this part.'),
    phase: text('Its phase.', { max: 32 }),
    height: whole('Its height.'),
    ready: flag('It serves.'),
  }),
  { by: ['name'], max: 2000 },
);

export const CHAIN_NODE_FLEET_STATUS = group('What the fleet is.', {
  observedGeneration: whole('Generation of the spec that the operator has seen.'),
  replicas: whole('Nodes that there are.').default(0),
  readyReplicas: whole('Nodes that serve.'),
  syncedReplicas: whole('Nodes at the head of the chain.'),
  updatedReplicas: whole('Nodes with the newest template.'),
  splitReplicas: whole('Nodes with the split.'),
  selector: text('Label selector of the pods, for autoscalers.', { max: 512 }),
  heights: group('Heights of the nodes.', { min: whole('The lowest.'), max: whole('The highest.') }),
  rollout: ROLLOUT,
  nodes: MEMBERS,
  conditions: conditionsField(FLEET_CONDITIONS),
});

export type ChainNodeFleetStatus = ValueOf<typeof CHAIN_NODE_FLEET_STATUS>;
