import { bytesToHex } from '../../primitives/index.ts';
import type { BlockRecord, Receipt } from '../../types/index.ts';
import { formatBlock } from '../format/block.ts';
import { formatReceipt } from '../format/receipt.ts';
import { RawJson } from '../rawJson.ts';

/**
 * Blocks and receipts already serialised: everyone who polls asks for the newest ones again and again. Bounded by
 * bytes; known by the block's hash, so that a chain that is set back cannot leave a stale one.
 */
export class BlockJson {
  readonly #bytesMax: number;
  readonly #texts = new Map<string, RawJson>();
  #bytes = 0;

  constructor(options: { readonly bytesMax: number }) {
    this.#bytesMax = options.bytesMax;
  }

  block(record: BlockRecord, withTransactions: boolean): RawJson {
    const name = withTransactions ? 'full' : 'hashes';
    return this.#get(record, name, () => formatBlock(record, withTransactions));
  }

  receipt(record: BlockRecord, receipt: Receipt): RawJson {
    return this.#receipt(record, receipt);
  }

  receipts(record: BlockRecord, receipts: readonly Receipt[]): RawJson {
    return new RawJson(`[${receipts.map((receipt) => this.#receipt(record, receipt).text).join(',')}]`);
  }

  #receipt(record: BlockRecord, receipt: Receipt): RawJson {
    return this.#get(record, bytesToHex(receipt.transactionHash), () => formatReceipt(record, receipt));
  }

  #get({ block }: BlockRecord, name: string, format: () => unknown): RawJson {
    const key = bytesToHex(block.id.hash) + name;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const made = new RawJson(JSON.stringify(format()));
    this.#texts.set(key, made);
    this.#bytes += weightOf(made);
    this.#trim();
    return made;
  }

  #trim(): void {
    for (const [key, text] of this.#texts) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#texts.delete(key);
      this.#bytes -= weightOf(text);
    }
  }
}

/** Text, and bytes once it has been sent. */
function weightOf({ text }: RawJson): number {
  return 2 * text.length;
}
