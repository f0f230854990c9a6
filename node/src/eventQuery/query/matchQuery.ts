import { compareDecimals, parseDecimal, parseLeadingDecimal } from './decimal.ts';
import type { Condition, Operator, Query } from './parseQuery.ts';
import { parseDate, parseTime } from './queryTime.ts';

/** What happened, by tag: `tm.event` → `['Tx']`, `transfer.sender` → all senders. */
export type EventValues = ReadonlyMap<string, readonly string[]>;

/** Whether each condition holds for one of the values of its tag, as subscriptions want it. */
export function matchesQuery({ conditions }: Query, values: EventValues): boolean {
  return values.size > 0 && conditions.every((condition) => tagMatches(condition, values));
}

function tagMatches(condition: Condition, values: EventValues): boolean {
  const { tag, operator } = condition;
  const found = values.get(tag);
  if (found) return found.some((value) => valueMatches(condition, value));
  // A tag that is only an event's type asks whether there was such an event.
  return (
    operator === 'EXISTS' && [...values.keys()].some((name) => name.slice(0, name.lastIndexOf('.')) === tag)
  );
}

/** One condition on one value. */
function valueMatches({ operator, argument }: Condition, value: string): boolean {
  if (!argument) return true;
  if (operator === 'CONTAINS') return value.includes(argument.text);
  switch (argument.kind) {
    case 'string':
      return value === argument.text;
    case 'number':
      return holdsFor(operator, compareNumbers(value, argument.text));
    case 'timestamp':
      return holdsFor(operator, difference(parseTime(value), parseTime(argument.text)));
    case 'datestamp':
      return holdsFor(operator, difference(parseDate(value), parseDate(argument.text)));
  }
}

function compareNumbers(value: string, text: string): number | undefined {
  // A value may carry its denomination behind the number, as in 8atom.
  const [left, right] = [parseLeadingDecimal(value), parseDecimal(text)];
  return left && right && compareDecimals(left, right);
}

function difference(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? undefined : left - right;
}

/** `order` as a comparison gives it; `undefined` when the two cannot be compared. */
export function holdsFor(operator: Operator, order: number | undefined): boolean {
  if (order === undefined) return false;
  switch (operator) {
    case '=':
      return order === 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    default:
      return false;
  }
}
