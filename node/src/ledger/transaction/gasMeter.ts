import { ledgerError } from '../ledgerError.ts';

/** Counts gas against a limit. */
export class GasMeter {
  readonly limit: bigint;
  #consumed = 0n;

  constructor(limit: bigint) {
    this.limit = limit;
  }

  get consumed(): bigint {
    return this.#consumed;
  }

  get left(): bigint {
    return this.#consumed < this.limit ? this.limit - this.#consumed : 0n;
  }

  /** Throws LEDGER_REFUSED, out of gas, naming what it was for. */
  consume(gas: bigint, descriptor: string): void {
    this.#consumed += gas;
    if (this.#consumed <= this.limit) return;
    throw ledgerError(
      'gas',
      `out of gas in location: ${descriptor}; gasWanted: ${this.limit}, gasUsed: ${this.#consumed}`,
    );
  }
}

/** The Cosmos SDK's costs of state access (store/types, KVGasConfig). */
export const STORE_GAS = {
  readFlat: 1_000n,
  readPerByte: 3n,
  writeFlat: 2_000n,
  writePerByte: 30n,
  delete: 1_000n,
  iterateNext: 30n,
} as const;
