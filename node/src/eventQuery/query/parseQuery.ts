import { queryFailure } from '../queryFailure.ts';
import { QuerySyntaxError, Scanner, TOKEN, type Token, type TokenKind } from './scanner.ts';

export type Operator = '=' | '<' | '<=' | '>' | '>=' | 'CONTAINS' | 'EXISTS';

export interface Condition {
  /** `<event type>.<attribute key>`, or a reserved one such as `tm.event`. */
  readonly tag: string;
  readonly operator: Operator;
  /** What the value is compared with; none for EXISTS. */
  readonly argument?: {
    readonly kind: 'string' | 'number' | 'timestamp' | 'datestamp';
    readonly text: string;
  };
}

/** All conditions must hold. */
export interface Query {
  readonly conditions: readonly Condition[];
  /** The same query always prints the same, whatever the spaces. */
  readonly canonical: string;
}

const OPERATORS: readonly TokenKind[] = [
  TOKEN.leq,
  TOKEN.geq,
  TOKEN.lt,
  TOKEN.gt,
  TOKEN.eq,
  TOKEN.contains,
  TOKEN.exists,
];
const ORDERED: readonly TokenKind[] = [TOKEN.number, TOKEN.time, TOKEN.date];

/** Parses CometBFT's query language. Throws a failure with CometBFT's text. */
export function parseQuery(text: string): Query {
  try {
    const conditions = conditionsOf(new Scanner(text));
    return { conditions, canonical: conditions.map(print).join(' AND ') };
  } catch (error) {
    if (error instanceof QuerySyntaxError) throw queryFailure(error.message);
    throw error;
  }
}

function conditionsOf(scanner: Scanner): Condition[] {
  const conditions = [conditionOf(scanner)];
  for (let token = scanner.next(); token; token = scanner.next()) {
    if (token.kind !== TOKEN.and) {
      throw new QuerySyntaxError(`offset ${token.offset}: got ${token.kind}, want ${TOKEN.and}`);
    }
    conditions.push(conditionOf(scanner));
  }
  return conditions;
}

function conditionOf(scanner: Scanner): Condition {
  const tag = require(scanner, [TOKEN.tag]).text;
  const token = require(scanner, OPERATORS);
  const operator = token.text as Operator;
  if (token.kind === TOKEN.exists) return { tag, operator };
  const { kind, text } = require(scanner, argumentsOf(token.kind));
  return { tag, operator, argument: { kind: kind as NonNullable<Condition['argument']>['kind'], text } };
}

function argumentsOf(operator: TokenKind): readonly TokenKind[] {
  if (operator === TOKEN.contains) return [TOKEN.string];
  return operator === TOKEN.eq ? [...ORDERED, TOKEN.string] : ORDERED;
}

function require(scanner: Scanner, wanted: readonly TokenKind[]): Token {
  const token = next(scanner);
  if (!token) throw new QuerySyntaxError(`offset ${scanner.offset}: EOF`);
  if (wanted.includes(token.kind)) return token;
  const last = wanted.at(-1)!;
  const list = wanted.length === 1 ? last : `${wanted.slice(0, -1).join(', ')} or ${last}`;
  throw new QuerySyntaxError(`offset ${token.offset}: got ${token.kind}, wanted ${list}`);
}

function next(scanner: Scanner): Token | undefined {
  try {
    return scanner.next();
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
    throw new QuerySyntaxError(`offset ${scanner.offset}: ${error.message}`);
  }
}

function print({ tag, operator, argument }: Condition): string {
  if (!argument) return `${tag} ${operator}`;
  const { kind, text } = argument;
  const printed = { string: `'${text}'`, number: text, timestamp: `TIME ${text}`, datestamp: `DATE ${text}` };
  return `${tag} ${operator} ${printed[kind]}`;
}
