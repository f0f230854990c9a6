/** Code of a contract as a compiler made it; immutable values are not in it yet. */
interface KnownCode {
  readonly name: string;
  /** Hex without prefix. */
  readonly code: string;
  /** Where immutable values stand, in characters of `code`. */
  readonly holes: readonly { readonly start: number; readonly length: number }[];
}

/** A compiler's `immutableReferences`: places in bytes. */
export type ImmutableReferences = Readonly<
  Record<string, readonly { readonly start: number; readonly length: number }[]>
>;

/** Names of contracts by their code. */
export class ContractNames {
  readonly #byLength = new Map<number, KnownCode[]>();

  /** Code that still wants the address of a library has no name: what is no hex equals none. */
  add(name: string, deployed: string, immutables: ImmutableReferences = {}): void {
    const code = deployed.replace(/^0x/, '').toLowerCase();
    if (code === '') return;
    const holes = Object.values(immutables)
      .flat()
      .map(({ start, length }) => ({ start: 2 * start, length: 2 * length }))
      .sort((a, b) => a.start - b.start);
    const known = this.#byLength.get(code.length) ?? [];
    this.#byLength.set(code.length, [
      ...known.filter((one) => one.name !== name || one.code !== code),
      { name, code, holes },
    ]);
  }

  /** Of code with its 0x. */
  nameOf(deployed: string): string | undefined {
    const code = deployed.slice(2);
    return this.#byLength.get(code.length)?.find((known) => isSame(code, known))?.name;
  }
}

function isSame(code: string, { code: made, holes }: KnownCode): boolean {
  let at = 0;
  for (const { start, length } of holes) {
    if (code.slice(at, start) !== made.slice(at, start)) return false;
    at = start + length;
  }
  return code.slice(at) === made.slice(at);
}
