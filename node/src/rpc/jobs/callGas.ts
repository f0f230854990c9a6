import { EVM_FORKS, isStandardPrecompile } from '../../evm/index.ts';
import type { CallRequest } from '../../execution/index.ts';
import { bytesToHex } from '../../primitives/index.ts';

const NEWEST_FORK = EVM_FORKS.at(-1)!;
/** Kinds in one generation; a full one replaces the generation before. */
const MAX_KINDS = 4096;
/** A call that burns less than those before lowers what is expected by so much of the difference. */
const DECAY = 1 / 8;

/** What calls of a kind burned of late: by what they call, whatever the arguments. */
export class CallGas {
  #young = new Map<string, number>();
  #old: ReadonlyMap<string, number> = new Map();

  /** `undefined` when nothing like it was seen. */
  of(kind: string): number | undefined {
    return this.#young.get(kind) ?? this.#old.get(kind);
  }

  note(kind: string, gas: number): void {
    const known = this.of(kind) ?? gas;
    if (this.#young.size >= MAX_KINDS && !this.#young.has(kind)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(kind, gas > known ? gas : known + (gas - known) * DECAY);
  }
}

/**
 * Callee and selector; a creation by its first bytes. Precompiles of Ethereum's have no selector: each number of
 * rounds would be a call like no other.
 */
export function callKind(job: string, { to, data }: CallRequest): string {
  const hasSelector = !to || !isStandardPrecompile(to, NEWEST_FORK);
  const head = data && hasSelector ? bytesToHex(data.subarray(0, to ? 4 : 32)) : '';
  return `${job}:${to ? bytesToHex(to) : ''}:${head}`;
}
