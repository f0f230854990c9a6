import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth';
import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin';
import { Any } from 'cosmjs-types/google/protobuf/any';
import { STORE } from '../state/schema/index.ts';
import { parseAmount } from './bankRows.ts';
import { type RowRange, sizedKey } from './rowRange.ts';

const textAt = (key: Uint8Array, offset: number): string =>
  Buffer.from(key.subarray(offset)).toString('utf8');

/** Every denomination that a chain account (20 bytes) holds, in whole units. */
export function balanceRows(chainAddress: Uint8Array): RowRange<Coin> {
  const prefix = sizedKey(0x02, chainAddress);
  const decode = (key: Uint8Array, value: Uint8Array): Coin => ({
    denom: textAt(key, prefix.length),
    amount: parseAmount(value).toString(),
  });
  return { store: STORE.bank, prefix, decode };
}

/** The supply of every denomination, in whole units. */
export function supplyRows(): RowRange<Coin> {
  const decode = (key: Uint8Array, value: Uint8Array): Coin => ({
    denom: textAt(key, 1),
    amount: parseAmount(value).toString(),
  });
  return { store: STORE.bank, prefix: Uint8Array.of(0x00), decode };
}

export function accountRows(): RowRange<BaseAccount> {
  return {
    store: STORE.account,
    prefix: Uint8Array.of(0x01),
    decode: (_key, value) => BaseAccount.decode(Any.decode(value).value),
  };
}

export interface HeldCoin {
  /** 20 bytes. */
  readonly address: Uint8Array;
  readonly coin: Coin;
}

/** Every balance of every account, by address. */
export function allBalanceRows(): RowRange<HeldCoin> {
  const decode = (key: Uint8Array, value: Uint8Array): HeldCoin => {
    const end = 2 + key[1]!;
    const coin = { denom: textAt(key, end), amount: parseAmount(value).toString() };
    return { address: key.slice(2, end), coin };
  };
  return { store: STORE.bank, prefix: Uint8Array.of(0x02), decode };
}
