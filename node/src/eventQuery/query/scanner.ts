import { parseDate, parseTime } from './queryTime.ts';

/** Kinds of tokens, named as CometBFT's messages name them. */
export const TOKEN = {
  tag: 'tag',
  string: 'string',
  number: 'number',
  time: 'timestamp',
  date: 'datestamp',
  and: 'AND operator',
  contains: 'CONTAINS operator',
  exists: 'EXISTS operator',
  eq: '= operator',
  lt: '< operator',
  leq: '<= operator',
  gt: '> operator',
  geq: '>= operator',
} as const;

export type TokenKind = (typeof TOKEN)[keyof typeof TOKEN];

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Where it begins, in bytes. */
  readonly offset: number;
}

/** A query that cannot be read; `atEnd` when it stops too soon. */
export class QuerySyntaxError extends Error {}

const WORDS: Readonly<Record<string, TokenKind>> = {
  AND: TOKEN.and,
  EXISTS: TOKEN.exists,
  CONTAINS: TOKEN.contains,
};
const OPERATORS: Readonly<Record<string, TokenKind>> = {
  '=': TOKEN.eq,
  '<': TOKEN.lt,
  '<=': TOKEN.leq,
  '>': TOKEN.gt,
  '>=': TOKEN.geq,
};

const SPACE = /\s*/uy;
const NUMBER = /\d+(?:\.\d*)?/uy;
const TAG = /[\p{L}_][\p{L}\p{Nd}._\-/]*/uy;
const COMPARISON = /<=|>=|[<>=]/uy;
const TIME_TEXT = /[-T:+Z\d]*/uy;
const DATE_TEXT = /[-\d]*/uy;
const YEARS = { first: 1900, last: 2999 };

/** Splits a query into tokens, one at a time. */
export class Scanner {
  readonly #input: string;
  #position = 0;
  /** Where the newest token began, or the scan stopped; in characters. */
  #tokenStart = 0;

  constructor(input: string) {
    this.#input = input;
  }

  /** Of the newest token, or of the end; in bytes, as CometBFT counts. */
  get offset(): number {
    return Buffer.byteLength(this.#input.slice(0, this.#tokenStart));
  }

  /** The next token; `undefined` at the end. Throws QuerySyntaxError. */
  next(): Token | undefined {
    this.#take(SPACE);
    this.#tokenStart = this.#position;
    const first = this.#input.codePointAt(this.#position);
    if (first === undefined) return undefined;
    const char = String.fromCodePoint(first);
    if (/\d/.test(char)) return this.#token(TOKEN.number, this.#take(NUMBER));
    const tag = this.#take(TAG);
    if (tag !== '') return this.#tagLike(tag);
    const operator = this.#take(COMPARISON);
    if (operator !== '') return this.#token(OPERATORS[operator]!, operator);
    if (char === "'") return this.#string();
    this.#position += char.length;
    const end = Buffer.byteLength(this.#input.slice(0, this.#position));
    throw new QuerySyntaxError(`invalid input ${char} at offset ${end}`);
  }

  #string(): Token {
    const end = this.#input.indexOf("'", this.#position + 1);
    if (end === -1) {
      throw new QuerySyntaxError('EOF');
    }
    const text = this.#input.slice(this.#position + 1, end);
    this.#position = end + 1;
    return this.#token(TOKEN.string, text);
  }

  #tagLike(text: string): Token {
    const isFollowedBySpace = this.#input[this.#position] === ' ';
    if (text === 'TIME' && isFollowedBySpace) return this.#moment(TOKEN.time, TIME_TEXT, 'TIME', parseTime);
    if (text === 'DATE' && isFollowedBySpace) return this.#moment(TOKEN.date, DATE_TEXT, 'DATE', parseDate);
    return this.#token(WORDS[text] ?? TOKEN.tag, text);
  }

  #moment(kind: TokenKind, shape: RegExp, label: string, parse: (text: string) => number | undefined): Token {
    this.#position++;
    const text = this.#take(shape);
    const milliseconds = parse(text);
    if (milliseconds === undefined) {
      throw new QuerySyntaxError(`invalid ${label} value: parsing time "${text}"`);
    }
    const year = new Date(milliseconds).getUTCFullYear();
    if (year < YEARS.first || year > YEARS.last) {
      throw new QuerySyntaxError(`${kind} year ${year} out of range`);
    }
    return this.#token(kind, text);
  }

  #token(kind: TokenKind, text: string): Token {
    return { kind, text, offset: this.offset };
  }

  #take(shape: RegExp): string {
    shape.lastIndex = this.#position;
    const text = shape.exec(this.#input)?.[0] ?? '';
    this.#position += text.length;
    return text;
  }
}
