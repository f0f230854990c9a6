import type { Payer } from '../ledger/index.ts';
import { mapKeyOf } from '../primitives/index.ts';
import { AddressIndex } from './addressIndex.ts';
import type { Entry, EntryPurse } from './entry.ts';
import { Purse } from './purse.ts';

/** The purses of the transactions that are held. */
export class Purses {
  readonly #byAccount = new Map<string, EntryPurse>();
  readonly #byAddress = new AddressIndex<EntryPurse>();

  /** Also one that nothing was taken from yet; `add` keeps it. */
  of(payer: Payer): EntryPurse {
    return this.#byAccount.get(mapKeyOf(payer.chainAddress)) ?? new Purse<Entry>(payer);
  }

  /** Whose balance may follow from what is known of the address. */
  at(addressKey: string): Iterable<EntryPurse> {
    return this.#byAddress.at(addressKey);
  }

  add(entry: Entry): void {
    const { purse } = entry;
    if (purse.entries.size === 0) {
      this.#byAccount.set(mapKeyOf(purse.payer.chainAddress), purse);
      for (const address of addressesOf(purse.payer)) this.#byAddress.add(address, purse);
    }
    purse.add(entry);
  }

  delete(entry: Entry): void {
    const { purse } = entry;
    purse.delete(entry);
    if (purse.entries.size > 0) return;
    this.#byAccount.delete(mapKeyOf(purse.payer.chainAddress));
    for (const address of addressesOf(purse.payer)) this.#byAddress.delete(address, purse);
  }
}

const addressesOf = ({ chainAddress, evmAddress }: Payer): Uint8Array[] =>
  evmAddress ? [chainAddress, evmAddress] : [chainAddress];
