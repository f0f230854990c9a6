import type { ValueOf } from './field.ts';
import { countOrPercent, group, list, mapOf, text, timestamp, whole } from './fieldKinds.ts';

export const DISRUPTION_BUDGET_SPEC = group('How many nodes may be away.', {
  selector: group('Which ChainNodes of the namespace it is about; none given are all of them.', {
    matchLabels: mapOf('Labels that they have.', text('', { max: 63 })),
  }).default({}),
  maxUnavailable: countOrPercent('Away at once: a count or a percentage, rounded down, at least 1.').default(
    1,
  ),
  minServing: whole('Nodes that must serve whatever happens.'),
}).required();

export const DISRUPTION_BUDGET_STATUS = group('What it has let go.', {
  expected: whole('Nodes that it is about.'),
  floor: whole('How many of them must serve.'),
  serving: whole('How many did when a node last asked.'),
  disrupted: list(
    'Nodes that may go, or are away.',
    group('A node.', {
      node: text('Its name.', { max: 253 }).required(),
      uid: text('Its uid.', { max: 64 }).required(),
      since: timestamp('When it was let go.').required(),
    }),
    { by: ['node'], max: 1000 },
  ),
  checkedAt: timestamp('When a node last asked and something of this had changed.'),
});

export type DisruptionBudgetSpec = ValueOf<typeof DISRUPTION_BUDGET_SPEC>;
export type DisruptionBudgetStatus = ValueOf<typeof DISRUPTION_BUDGET_STATUS>;
