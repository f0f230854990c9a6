import { readNonce } from '../evm/index.ts';
import { type Payer, readAccount, readPayerWei, touchedAccount } from '../ledger/index.ts';
import { mapKeyOf } from '../primitives/index.ts';
import { EVM_PREFIX, STORE } from '../state/schema/index.ts';
import type { PointReads } from '../state/view/index.ts';
import type { StoreChanges } from '../types/index.ts';
import type { Account } from './accountQueue.ts';

/** What the pool asks of the newest state. */
export interface SenderReads {
  /** The EVM's nonce, or the ledger's sequence. */
  nonceOf(account: Account): bigint;
  /** Wei. */
  fundsOf(payer: Payer): bigint;
}

export function senderReads(newest: () => PointReads): SenderReads {
  return {
    nonceOf: ({ isEvm, sender }) =>
      isEvm ? readNonce(newest(), sender) : (readAccount(newest(), sender)?.sequence ?? 0n),
    fundsOf: (payer) => readPayerWei(newest(), payer),
  };
}

/** Keys of the addresses whose nonce, sequence, funds or association a block wrote. */
export function touchedAddresses(stores: readonly StoreChanges[]): Set<string> {
  const keys = new Set<string>();
  for (const { store, changes } of stores) {
    for (const { key } of changes) {
      const address = store === STORE.evm ? evmAccountOf(key) : touchedAccount(store, key);
      if (address) keys.add(mapKeyOf(address));
    }
  }
  return keys;
}

/** `undefined` for code and storage, which say nothing of who can pay or whose turn it is. */
function evmAccountOf(key: Uint8Array): Uint8Array | undefined {
  const { nonce, chainAddress, evmAddress } = EVM_PREFIX;
  const [kind] = key;
  return kind === nonce || kind === chainAddress || kind === evmAddress ? key.subarray(1) : undefined;
}
