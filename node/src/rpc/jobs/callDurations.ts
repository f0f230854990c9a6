import { EVM_FORKS, isStandardPrecompile } from '../../evm/index.ts';
import type { CallRequest } from '../../execution/index.ts';
import { bytesToHex } from '../../primitives/index.ts';

const NEWEST_FORK = EVM_FORKS.at(-1)!;
const MAX_ENTRIES = 4096;
/** How much the newest time counts. */
const WEIGHT = 0.5;

/** How long calls of a kind took of late, in milliseconds: by what they call, whatever the arguments. */
export class CallDurations {
  readonly #times = new Map<string, number>();

  /** `undefined` when nothing like it was seen. */
  timeOf(key: string): number | undefined {
    return this.#times.get(key);
  }

  note(key: string, milliseconds: number): void {
    const before = this.#times.get(key);
    if (before !== undefined) this.#times.delete(key);
    this.#times.set(key, before === undefined ? milliseconds : before + (milliseconds - before) * WEIGHT);
    if (this.#times.size <= MAX_ENTRIES) return;
    const [oldest] = this.#times.keys();
    this.#times.delete(oldest!);
  }
}

/**
 * Callee and selector; a creation by its first bytes. Precompiles of Ethereum's have no selector: each number of
 * rounds would be a call like no other.
 */
export function durationKey(job: string, { to, data }: CallRequest): string {
  const hasSelector = !to || !isStandardPrecompile(to, NEWEST_FORK);
  const head = data && hasSelector ? bytesToHex(data.subarray(0, to ? 4 : 32)) : '';
  return `${job}:${to ? bytesToHex(to) : ''}:${head}`;
}
