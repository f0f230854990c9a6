import type { CallRequest } from '../../execution/index.ts';
import { mapKeyOf } from '../../primitives/index.ts';

/** How a call ended, as eth_call tells it. */
export interface CallEnd {
  readonly status: 'success' | 'reverted' | 'failed';
  readonly error: string;
  /** 0x-prefixed. */
  readonly data: string;
}

/**
 * Ends of calls on decided blocks, which never change: everyone who polls makes the same ones again until the next
 * block. Bounded by bytes, in two generations: a full young one becomes the old one, whose ends go unless somebody
 * asks for them meanwhile. One by one they would go dearly: a Map's first key lies behind all that were deleted.
 */
export class CallCache {
  readonly #maxBytes: number;
  #young = new Map<string, CallEnd>();
  #old: ReadonlyMap<string, CallEnd> = new Map();
  #bytes = 0;

  constructor(options: { readonly maxBytes: number }) {
    this.#maxBytes = options.maxBytes / 2;
  }

  get(key: string): CallEnd | undefined {
    const young = this.#young.get(key);
    if (young) return young;
    const old = this.#old.get(key);
    if (old) this.put(key, old);
    return old;
  }

  put(key: string, end: CallEnd): void {
    if (this.#young.has(key)) return;
    const weight = weightOf(key, end);
    if (this.#bytes + weight > this.#maxBytes) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#bytes = 0;
    }
    // One that fills a generation by itself is not worth it.
    if (weight > this.#maxBytes) return;
    this.#young.set(key, end);
    this.#bytes += weight;
  }
}

const ENTRY_BYTES = 100;

function weightOf(key: string, { error, data }: CallEnd): number {
  return ENTRY_BYTES + key.length + error.length + data.length;
}

/** All that a call depends on, by the block's hash; `undefined` for calls that are not worth a key. */
export function callKey(blockHash: Uint8Array | undefined, request: CallRequest): string | undefined {
  const { from, to, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, value, data } = request;
  if (!blockHash || request.accessList?.length || request.authorizationList?.length) return undefined;
  const amounts = [gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, value];
  // Most calls name none of them.
  const told = amounts.some((amount) => amount !== undefined) ? amounts.join('|') : '';
  // Addresses and hash have fixed lengths: what is there must be told, or two calls might share a key.
  const present = (from ? 1 : 0) + (to ? 2 : 0);
  return `${latin1(blockHash)}${present}${latin1(from)}${latin1(to)}${told}|${latin1(data)}`;
}

function latin1(bytes: Uint8Array | null | undefined): string {
  return bytes ? mapKeyOf(bytes) : '';
}
