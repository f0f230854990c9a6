import type { Payer } from '../ledger/index.ts';
import { mapKeyOf } from '../primitives/index.ts';
import { AccountBudget } from './accountBudget.ts';
import { AddressIndex } from './addressIndex.ts';
import type { Entry, EntryBudget } from './entry.ts';

/** The purses of the transactions that are held. */
export class AccountBudgets {
  readonly #byAccount = new Map<string, EntryBudget>();
  readonly #byAddress = new AddressIndex<EntryBudget>();

  /** Also one that nothing was taken from yet; `add` keeps it. */
  of(payer: Payer): EntryBudget {
    return this.#byAccount.get(mapKeyOf(payer.chainAddress)) ?? new AccountBudget<Entry>(payer);
  }

  /** Whose balance may follow from what is known of the address. */
  at(addressKey: string): Iterable<EntryBudget> {
    return this.#byAddress.at(addressKey);
  }

  add(entry: Entry): void {
    const { budget } = entry;
    if (budget.entries.size === 0) {
      this.#byAccount.set(mapKeyOf(budget.payer.chainAddress), budget);
      for (const address of addressesOf(budget.payer)) this.#byAddress.add(address, budget);
    }
    budget.add(entry);
  }

  delete(entry: Entry): void {
    const { budget } = entry;
    budget.delete(entry);
    if (budget.entries.size > 0) return;
    this.#byAccount.delete(mapKeyOf(budget.payer.chainAddress));
    for (const address of addressesOf(budget.payer)) this.#byAddress.delete(address, budget);
  }
}

const addressesOf = ({ chainAddress, evmAddress }: Payer): Uint8Array[] =>
  evmAddress ? [chainAddress, evmAddress] : [chainAddress];
