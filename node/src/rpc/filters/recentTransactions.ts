import type { Mempool } from '../../mempool/index.ts';
import { toHexData } from '../../primitives/index.ts';

const KEPT = 10_000;

/** Hashes of the newest transactions that became executable here: all pending-transaction filters read this one list. */
export class RecentTransactions {
  readonly #hashes: string[] = [];
  #count = 0;
  readonly #stop: () => void;

  constructor({ mempool }: { readonly mempool: Pick<Mempool, 'onTransaction'> }) {
    this.#stop = mempool.onTransaction(({ evm }) => {
      if (!evm) return;
      this.#hashes[this.#count++ % KEPT] = toHexData(evm.hash);
    });
  }

  /** How many there were so far. */
  get count(): number {
    return this.#count;
  }

  /** Those behind the first `cursor` ones, oldest first; the newest 10,000 of them. */
  since(cursor: number): string[] {
    const first = Math.max(cursor, this.#count - KEPT);
    return Array.from({ length: this.#count - first }, (_, i) => this.#hashes[(first + i) % KEPT]!);
  }

  close(): void {
    this.#stop();
  }
}
