import { Refusal, type Setting } from './setting.ts';
import { parseToml } from './toml.ts';

interface Extras<T> {
  readonly unit?: string;
  readonly rule?: string;
  readonly defaultByMode?: Readonly<Record<string, T>>;
}

interface Kind<T> {
  readonly type: string;
  readonly rule?: string;
  parse(value: unknown): T | Refusal;
  parseText(text: string): T | Refusal;
  format(value: T): string;
}

function setting<T>(kind: Kind<T>, value: T, about: string, extras: Extras<T> = {}): Setting<T> {
  return {
    type: kind.type,
    default: value,
    unit: extras.unit,
    rule: extras.rule ?? kind.rule ?? '',
    about,
    inert: false,
    defaultByMode: extras.defaultByMode ?? {},
    parse: kind.parse,
    parseText: kind.parseText,
    format: kind.format,
  };
}

/** Settings whose feature is not in this release. */
export function inert<S extends Readonly<Record<string, Setting<never> | Setting<unknown>>>>(settings: S): S {
  return Object.fromEntries(
    Object.entries(settings).map(([key, setting]) => [key, { ...setting, inert: true }]),
  ) as unknown as S;
}

/** Basic TOML strings are JSON strings, but for the DEL character. */
const quote = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f');

const asTyped = (text: string): unknown => {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
};

export function boolean(value: boolean, about: string, extras?: Extras<boolean>): Setting<boolean> {
  const parse = (given: unknown) =>
    typeof given === 'boolean' ? given : new Refusal('not a boolean', 'true or false');
  return setting(
    { type: 'bool', parse, parseText: (text) => parse(asTyped(text)), format: String },
    value,
    about,
    extras,
  );
}

/** A switch that exists for older files only: off is refused. */
export function mustBeTrue(about: string): Setting<boolean> {
  const parse = (given: unknown) =>
    given === true ? true : new Refusal('this layer cannot be switched off', 'true');
  const kind = { type: 'bool', parse, parseText: (text: string) => parse(asTyped(text)), format: String };
  return setting<boolean>(kind, true, about, { rule: 'must be `true`' });
}

export function integer(
  value: number,
  about: string,
  extras: Extras<number> & { readonly min?: number; readonly max?: number } = {},
): Setting<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = extras;
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
  const parse = (given: unknown): number | Refusal => {
    // The TOML parser gives bigints for integers beyond 2^53.
    if (!Number.isSafeInteger(given))
      return new Refusal('not a whole number within 2^53', `a number, ${range}`);
    const number = given as number;
    if (number >= min && number <= max) return number;
    return new Refusal(number < 0 && min >= 0 ? 'negative' : 'out of range', `a number, ${range}`);
  };
  const kind = {
    type: 'integer',
    rule: range,
    parse,
    parseText: (text: string) => parse(asTyped(text)),
    format: String,
  };
  return setting(kind, value, about, extras);
}

export function port(value: number, about: string): Setting<number> {
  return integer(value, about, { max: 65_535, rule: '0 to 65535; 0 lets the system choose' });
}

export function text(value: string, about: string, extras?: Extras<string>): Setting<string> {
  const parse = (given: unknown) =>
    typeof given === 'string' ? given : new Refusal('not a string', 'a string in quotes');
  return setting({ type: 'string', parse, parseText: parse, format: quote }, value, about, extras);
}

export function choice<const C extends string>(
  choices: readonly C[],
  value: NoInfer<C>,
  about: string,
  extras?: Extras<C>,
): Setting<C> {
  const wanted = choices.map((it) => `"${it}"`).join(' or ');
  const parse = (given: unknown) =>
    choices.includes(given as C) ? (given as C) : new Refusal('unknown value', wanted);
  const rule = choices.map((it) => `\`${it}\``).join(', ');
  return setting<C>({ type: 'string', rule, parse, parseText: parse, format: quote }, value, about, extras);
}

/** Text of a kind that a pattern describes. */
export function pattern(
  value: string,
  about: string,
  form: { readonly pattern: RegExp; readonly wanted: string },
): Setting<string> {
  const parse = (given: unknown) =>
    typeof given === 'string' && form.pattern.test(given) ? given : new Refusal('malformed', form.wanted);
  return setting({ type: 'string', rule: form.wanted, parse, parseText: parse, format: quote }, value, about);
}

/** `a, b`, as one writes it in a shell. */
function listOf(line: string): string[] {
  return line
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** `["a", "b"]`, as the file has it; the text itself when it is none. */
function listInFile(line: string): unknown {
  try {
    return (parseToml('a list', `list = ${line}`) as { readonly list?: unknown }).list;
  } catch {
    return line;
  }
}

export function textList(
  value: readonly string[],
  about: string,
  extras?: Extras<readonly string[]>,
): Setting<readonly string[]> {
  const parse = (given: unknown) =>
    Array.isArray(given) && given.every((item) => typeof item === 'string')
      ? (given as readonly string[])
      : new Refusal('not a list of strings', 'a list such as ["a", "b"]');
  const kind = {
    type: 'array of strings',
    parse,
    parseText: (line: string) => parse(line.trim().startsWith('[') ? listInFile(line) : listOf(line)),
    format: (list: readonly string[]) =>
      list.length === 0 ? '[]' : `[\n${list.map((item) => `  ${quote(item)},\n`).join('')}]`,
  };
  return setting(kind, value, about, extras);
}
