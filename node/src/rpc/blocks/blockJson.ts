import type { BlockRecord } from '../../types/index.ts';
import { formatBlock } from '../format/block.ts';
import { RawJson } from '../rawJson.ts';

/** Blocks already serialised: the newest is asked for again and again by everyone who polls. Bounded by bytes. */
export class BlockJson {
  readonly #bytesMax: number;
  readonly #texts = new Map<string, string>();
  #bytes = 0;

  constructor(options: { readonly bytesMax: number }) {
    this.#bytesMax = options.bytesMax;
  }

  of(record: BlockRecord, withTransactions: boolean): RawJson {
    const key = `${record.block.header.height}${withTransactions ? 'f' : 'h'}`;
    const known = this.#texts.get(key);
    if (known !== undefined) return new RawJson(known);
    const text = JSON.stringify(formatBlock(record, withTransactions));
    this.#texts.set(key, text);
    this.#bytes += text.length;
    this.#trim();
    return new RawJson(text);
  }

  #trim(): void {
    for (const [key, text] of this.#texts) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#texts.delete(key);
      this.#bytes -= text.length;
    }
  }
}
