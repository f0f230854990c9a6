import { mapKeyOf } from '../primitives/index.ts';
import type { BlockRecord } from '../types/index.ts';
import type { IndexedBlock, Place } from './rows.ts';

/** Blocks that are not in the database yet, found as they will be found there. */
export class RecentBlocks {
  readonly #byHeight = new Map<number, IndexedBlock>();
  readonly #byHash = new Map<string, number>();
  readonly #evm = new Map<string, Place>();
  readonly #ledger = new Map<string, Place>();

  add(block: IndexedBlock): void {
    const { height, record, ledgerHashes } = block;
    this.#byHeight.set(height, block);
    this.#byHash.set(mapKeyOf(record.block.id.hash), height);
    ledgerHashes.forEach((hash, index) => {
      this.#ledger.set(mapKeyOf(hash), { height, index });
    });
    record.receipts.forEach((receipt, index) => {
      this.#evm.set(mapKeyOf(receipt.transactionHash), { height, index });
    });
  }

  /** Call once the database has the block. A later block's entry for the same transaction stays. */
  remove({ height, record, ledgerHashes }: IndexedBlock): void {
    this.#byHeight.delete(height);
    this.#byHash.delete(mapKeyOf(record.block.id.hash));
    for (const hash of ledgerHashes) dropIfOf(this.#ledger, hash, height);
    for (const { transactionHash } of record.receipts) dropIfOf(this.#evm, transactionHash, height);
  }

  byHeight(height: number): IndexedBlock | undefined {
    return this.#byHeight.get(height);
  }

  records(): BlockRecord[] {
    return Array.from(this.#byHeight.values(), ({ record }) => record);
  }

  heightOf(blockHash: Uint8Array): number | undefined {
    return this.#byHash.get(mapKeyOf(blockHash));
  }

  evmPlace(hash: Uint8Array): Place | undefined {
    return this.#evm.get(mapKeyOf(hash));
  }

  ledgerPlace(hash: Uint8Array): Place | undefined {
    return this.#ledger.get(mapKeyOf(hash));
  }
}

function dropIfOf(places: Map<string, Place>, hash: Uint8Array, height: number): void {
  const key = mapKeyOf(hash);
  if (places.get(key)?.height === height) places.delete(key);
}
