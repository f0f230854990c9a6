import { utf8 } from '../primitives/index.ts';
import { STORE } from '../state/schema/index.ts';
import type { Overlay, PointReads, RangeReads } from '../state/view/index.ts';
import { BASE_DENOMINATION } from './denomination.ts';
import { prefixedKey } from './rowRange.ts';

const PREFIX = {
  supply: 0x00,
  metadata: 0x01,
  balance: 0x02,
  weiRemainder: 0x04,
  supplyRemainder: 0x05,
  held: 0x06,
} as const;

const BASE_NAME = utf8(BASE_DENOMINATION);

/** 0x02 ‖ address length ‖ address ‖ denomination */
export function balanceKey(chainAddress: Uint8Array, denomination: string): Uint8Array {
  const name = denomination === BASE_DENOMINATION ? BASE_NAME : utf8(denomination);
  const key = new Uint8Array(2 + chainAddress.length + name.length);
  key[0] = PREFIX.balance;
  key[1] = chainAddress.length;
  key.set(chainAddress, 2);
  key.set(name, 2 + chainAddress.length);
  return key;
}

/** 0x04 ‖ address */
export function weiRemainderKey(chainAddress: Uint8Array): Uint8Array {
  return prefixedKey(PREFIX.weiRemainder, chainAddress);
}

/** 0x00 ‖ denomination */
export function supplyKey(denomination: string): Uint8Array {
  return prefixedKey(PREFIX.supply, utf8(denomination));
}

/** 0x05 ‖ denomination: what the supply holds in wei above its whole units. */
export function supplyRemainderKey(denomination: string): Uint8Array {
  return prefixedKey(PREFIX.supplyRemainder, utf8(denomination));
}

/** 0x01 ‖ denomination */
export function metadataKey(denomination: string): Uint8Array {
  return prefixedKey(PREFIX.metadata, utf8(denomination));
}

/** 0x06 ‖ address: which denominations beside the base one it holds. */
export function heldKey(chainAddress: Uint8Array): Uint8Array {
  return prefixedKey(PREFIX.held, chainAddress);
}

/** Which part of a balance a bank key holds, if any; used to sum what a block changed. */
export function balancePartOf(key: Uint8Array, denomination: string): 'units' | 'wei' | undefined {
  if (key[0] === PREFIX.weiRemainder) return 'wei';
  if (key[0] !== PREFIX.balance) return undefined;
  const name = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('utf8', 2 + (key[1] ?? 0));
  return name === denomination ? 'units' : undefined;
}

/** The account whose holding of the base denomination a bank key is part of, if any. */
export function holderOf(key: Uint8Array): Uint8Array | undefined {
  const part = balancePartOf(key, BASE_DENOMINATION);
  if (part === undefined) return undefined;
  return part === 'units' ? key.subarray(2, 2 + key[1]!) : key.subarray(1);
}

/** The accounts that hold some of the base denomination, each once or twice. */
export function* readChainHolders(state: RangeReads): Iterable<Uint8Array> {
  for (const prefix of [PREFIX.balance, PREFIX.weiRemainder]) {
    const range = { start: Uint8Array.of(prefix), end: Uint8Array.of(prefix + 1) };
    for (const [key] of state.iterate(STORE.bank, range)) {
      const holder = holderOf(key);
      if (holder) yield holder.slice();
    }
  }
}

/** A decimal amount; 0 when the row is absent. */
export function readAmount(state: PointReads, key: Uint8Array): bigint {
  const text = state.get(STORE.bank, key);
  return text === undefined ? 0n : parseAmount(text);
}

/** Deletes the row at zero, so that a spent balance leaves nothing behind. */
export function writeAmount(overlay: Overlay, key: Uint8Array, amount: bigint): void {
  if (amount === 0n) overlay.delete(STORE.bank, key);
  else overlay.set(STORE.bank, key, utf8(amount.toString()));
}

export function parseAmount(text: Uint8Array): bigint {
  return BigInt(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('latin1'));
}
