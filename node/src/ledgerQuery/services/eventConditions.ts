import { queryErrors } from '../queryErrors.ts';

type Operator = '=' | '<' | '<=' | '>' | '>=' | 'CONTAINS' | 'EXISTS';

/** `transfer.sender='chain1…'`, `tx.height>5`, `message.action EXISTS` */
export interface EventCondition {
  /** Event type and attribute key. */
  readonly tag: string;
  readonly operator: Operator;
  readonly value: string;
}

const CONDITIONS_MAX = 32;
const CONDITION =
  /^\s*([A-Za-z][\w.:/-]*)\s*(?:(=|<=|>=|<|>|CONTAINS\b)\s*(?:'([^']*)'|(\d{1,30}))|(EXISTS\b))\s*(?:(AND)\b|$)/;

/** Conditions joined by AND, all of which must hold. Throws QUERY_INVALID_ARGUMENT naming the place. */
export function parseConditions(query: string): EventCondition[] {
  const conditions: EventCondition[] = [];
  let rest = query;
  for (let more = true; more; ) {
    const match = CONDITION.exec(rest);
    if (!match || conditions.length === CONDITIONS_MAX) {
      throw queryErrors.invalid(
        `cannot read the query at "${rest.slice(0, 60)}"; want conditions such as message.action='send' AND tx.height>5, ${CONDITIONS_MAX} at most`,
      );
    }
    const [whole, tag, operator, text, number, exists, and] = match;
    conditions.push({
      tag: tag!,
      operator: (exists ?? operator) as Operator,
      value: text ?? number ?? '',
    });
    rest = rest.slice(whole.length);
    more = and !== undefined;
  }
  return conditions;
}

/** Whether one of a tag's values meets the condition. */
export function conditionHolds({ operator, value }: EventCondition, found: readonly string[]): boolean {
  if (operator === 'EXISTS') return found.length > 0;
  if (operator === '=') return found.includes(value);
  if (operator === 'CONTAINS') return found.some((it) => it.includes(value));
  return found.some((it) => ordered(operator, it, value));
}

function ordered(operator: Operator, left: string, right: string): boolean {
  // A coin's amount stands before its denomination.
  const number = /^\d+/.exec(left)?.[0];
  if (number === undefined || !/^\d+$/.test(right)) return false;
  const [a, b] = [BigInt(number), BigInt(right)];
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a >= b;
}
