import type { BlockRecord, Receipt } from '../../types/index.ts';
import { formatBlock } from '../format/block.ts';
import { formatReceipt } from '../format/receipt.ts';
import { RawJson } from '../rawJson.ts';

/**
 * Blocks and receipts already serialised: everyone who polls asks for the newest ones again and again. Bounded by
 * bytes; known by the objects that history keeps of them, so that a chain that is set back cannot leave a stale one.
 */
export class BlockJson {
  readonly #maxBytes: number;
  readonly #blocks = new Map<BlockRecord, RawJson>();
  readonly #fullBlocks = new Map<BlockRecord, RawJson>();
  readonly #receipts = new Map<Receipt, RawJson>();
  #bytes = 0;

  constructor(options: { readonly maxBytes: number }) {
    this.#maxBytes = options.maxBytes;
  }

  block(record: BlockRecord, withTransactions: boolean): RawJson {
    const known = withTransactions ? this.#fullBlocks : this.#blocks;
    return known.get(record) ?? this.#keep(known, record, formatBlock(record, withTransactions));
  }

  receipt(record: BlockRecord, receipt: Receipt): RawJson {
    return this.#receipts.get(receipt) ?? this.#keep(this.#receipts, receipt, formatReceipt(record, receipt));
  }

  receipts(record: BlockRecord, receipts: readonly Receipt[]): RawJson {
    return new RawJson(`[${receipts.map((receipt) => this.receipt(record, receipt).text).join(',')}]`);
  }

  #keep<K>(known: Map<K, RawJson>, key: K, value: unknown): RawJson {
    const made = new RawJson(JSON.stringify(value));
    known.set(key, made);
    this.#bytes += weightOf(made);
    while (this.#bytes > this.#maxBytes) this.#dropOldest();
    return made;
  }

  /** Of the kind that there is most of. */
  #dropOldest(): void {
    const all: Map<unknown, RawJson>[] = [this.#blocks, this.#fullBlocks, this.#receipts];
    const largest = all.reduce((a, b) => (b.size > a.size ? b : a));
    const [oldest] = largest;
    this.#bytes -= weightOf(oldest![1]);
    largest.delete(oldest![0]);
  }
}

/** Text, and bytes once it has been sent. */
function weightOf({ text }: RawJson): number {
  return 2 * text.length;
}
