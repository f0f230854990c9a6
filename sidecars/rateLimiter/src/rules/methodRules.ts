export interface MethodLists {
  /** Empty: any. A name, or the beginning of names with `*` behind it. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** Which methods are let through. What is on both lists is refused. */
export class MethodRules {
  readonly #allow: NameSet | undefined;
  readonly #deny: NameSet;

  constructor({ allow, deny }: MethodLists) {
    this.#allow = allow.length === 0 ? undefined : new NameSet(allow);
    this.#deny = new NameSet(deny);
  }

  allows(method: string): boolean {
    return (this.#allow?.has(method) ?? true) && !this.#deny.has(method);
  }
}

class NameSet {
  readonly #names: ReadonlySet<string>;
  readonly #beginnings: readonly string[];

  constructor(patterns: readonly string[]) {
    this.#names = new Set(patterns.filter((pattern) => !pattern.endsWith('*')));
    this.#beginnings = patterns
      .filter((pattern) => pattern.endsWith('*'))
      .map((pattern) => pattern.slice(0, -1));
  }

  has(name: string): boolean {
    return this.#names.has(name) || this.#beginnings.some((beginning) => name.startsWith(beginning));
  }
}
