import type { Condition, ConditionOf, ConditionTable } from '../condition.ts';
import { Field } from '../field.ts';
import { choice, group, list, text, timestamp, whole } from '../fieldKinds.ts';

/** The conditions of a kind, told apart by type. */
export function conditionsField<Table extends ConditionTable>(
  table: Table,
): Field<readonly ConditionOf<Table>[]> {
  const types = Object.keys(table);
  const reasons = [...new Set(Object.values(table).flatMap((row) => Object.keys(row.reasons)))];
  const item = group('What holds, and why.', {
    type: choice('What is judged.', types).required(),
    status: choice('Whether it holds.', ['True', 'False', 'Unknown']).required(),
    reason: choice('Why, for programs.', reasons).required(),
    message: text('Why, for people.', { max: 4096 }).required(),
    observedGeneration: whole('Generation of the spec that was judged.').required(),
    lastTransitionTime: timestamp('When status last changed.').required(),
  }) as Field<Condition>;
  const { schema } = list('What holds of it; each entry is always there.', item, { by: ['type'], max: 32 });
  return new Field(schema, 'optional');
}
