/** Why a value is refused, and what to write instead. */
export class Refusal {
  readonly problem: string;
  readonly remedy: string;

  constructor(problem: string, remedy: string) {
    this.problem = problem;
    this.remedy = remedy;
  }
}

/** One key of a configuration file. The table of these drives parser, default file, overrides and docs. */
export interface Setting<T> {
  /** As the docs name the type. */
  readonly type: string;
  readonly default: T;
  readonly unit: string | undefined;
  /** What is allowed, as the docs say it. */
  readonly rule: string;
  /** One sentence for operators, without a full stop. */
  readonly about: string;
  /** Checked, but nothing in this release reads it: not written by `init`, and named in a warning when given. */
  readonly inert: boolean;
  /** Modes of the program whose default differs. */
  readonly defaultByMode: Readonly<Record<string, T>>;
  /** From a parsed TOML value. */
  parse(value: unknown): T | Refusal;
  /** From the text of an environment variable or a flag. */
  parseText(text: string): T | Refusal;
  /** As TOML. */
  format(value: T): string;
}

export type Section = Readonly<Record<string, Setting<never> | Setting<unknown>>>;
/** `base` holds the keys above the first section header. */
export type SettingTable = Readonly<Record<string, Section>>;

type ValueOf<S> = S extends Setting<infer T> ? T : never;
/** What a table describes, by the names in the file: `values.evm.http_port`. */
export type ValuesOf<Table> = {
  readonly [S in keyof Table]: { readonly [K in keyof Table[S]]: ValueOf<Table[S][K]> };
};

export const BASE_SECTION = 'base';

/** `key` of the base section, else `section.key`: how messages, flags and docs name a setting. */
export function settingName(section: string, key: string): string {
  return section === BASE_SECTION ? key : `${section}.${key}`;
}

/** A value as TOML, a list of several lines on one. */
export function formatInLine({ format }: Setting<unknown>, value: unknown): string {
  return format(value)
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(', ]', ' ]');
}

/** Walks a table in file order. */
export function* eachSetting(table: SettingTable): Generator<[string, string, Setting<unknown>]> {
  for (const [section, settings] of Object.entries(table)) {
    for (const [key, setting] of Object.entries(settings)) yield [section, key, setting as Setting<unknown>];
  }
}
