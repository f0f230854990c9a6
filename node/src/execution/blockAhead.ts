import type { StateReads } from '../state/view/index.ts';
import type { Received } from './transaction/receivedTransaction.ts';
import type { SignaturesAhead } from './transaction/signaturesAhead.ts';

/** Transactions whose signatures are asked for together. */
const SLICE = 64;
/** Slices that are asked for before the first of them has run; their bytes fit into the cache of decoded ones. */
const SLICES_AHEAD = 2;

interface Slice {
  readonly received: readonly (Received | undefined)[];
  /** Until the answers are there. */
  readonly ready: Promise<void> | undefined;
}

interface AheadDeps {
  readonly signatures: SignaturesAhead;
  /** Before the block. */
  readonly state: StateReads;
  readonly chainId: string;
}

/**
 * A block's transactions, decoded ahead of their run while threads look at their signatures: on a node that follows,
 * that is most of what a block costs. The answers follow from bytes; what is not answered, the run finds out itself.
 */
export class BlockAhead {
  readonly #txs: readonly Uint8Array[];
  readonly #deps: AheadDeps;
  readonly #slices: Slice[] = [];
  #asked = 0;

  constructor(txs: readonly Uint8Array[], deps: AheadDeps) {
    this.#txs = txs;
    this.#deps = deps;
  }

  /** To be awaited before the transaction at `index` runs, for each in its order. */
  reach(index: number): Promise<void> | undefined {
    if (index % SLICE !== 0) return undefined;
    if (index > 0) this.#slices.shift();
    while (this.#slices.length <= SLICES_AHEAD && this.#asked < this.#txs.length) this.#ask();
    return this.#slices[0]?.ready;
  }

  /** The transaction at `index`, of the slice that was reached last; `undefined` for one that is refused. */
  received(index: number): Received | undefined {
    return this.#slices[0]?.received[index % SLICE];
  }

  #ask(): void {
    const txs = this.#txs.slice(this.#asked, this.#asked + SLICE);
    this.#asked += txs.length;
    const { signatures, state, chainId } = this.#deps;
    this.#slices.push(signatures.ofBlock(txs, state, chainId));
  }
}
