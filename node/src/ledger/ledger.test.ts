import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToHex, equalBytes, toBech32 } from '../primitives/index.ts';
import { STORE_NAMES } from '../state/schema/index.ts';
import { EMPTY_STATE, Overlay } from '../state/view/index.ts';
import {
  associate,
  ensureAccount,
  FEE_COLLECTOR_CHAIN_ADDRESS,
  readAccount,
  readAccountWei,
  readBalanceWei,
  readChainAddress,
  readEvmAddress,
  readSupplyWei,
  readUnits,
  settleSupply,
  writeAccount,
  writeBalanceWei,
} from './index.ts';

const address = (byte: number): Uint8Array => new Uint8Array(20).fill(byte);
const wei = fc.bigInt({ min: 0n, max: 10n ** 30n });

describe('balances', () => {
  it('splits wei into whole units and a remainder, and joins them again', () => {
    fc.assert(
      fc.property(fc.array(wei), (amounts) => {
        const overlay = new Overlay(EMPTY_STATE);
        for (const amount of amounts) {
          writeBalanceWei(overlay, address(1), amount);
          expect(readBalanceWei(overlay, address(1))).toBe(amount);
          expect(readUnits(overlay, address(1), 'usei')).toBe(amount / 10n ** 12n);
        }
      }),
    );
  });

  it('leaves no row behind at zero and refuses less than nothing', () => {
    const overlay = new Overlay(EMPTY_STATE);
    writeBalanceWei(overlay, address(1), 1_000_000_000_001n);
    writeBalanceWei(overlay, address(1), 0n);
    expect(overlay.changes()[0]!.changes.every((change) => change.value === null)).toBe(true);
    expect(() => writeBalanceWei(overlay, address(1), -1n)).toThrow(/would hold -1 wei/);
  });

  it('moves the supply by exactly what writes created or burned', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), wei)), (writes) => {
        const parent = new Overlay(EMPTY_STATE);
        writeBalanceWei(parent, address(1), 5n * 10n ** 18n + 7n);
        settleSupply(parent, EMPTY_STATE);
        const overlay = new Overlay(parent);
        for (const [who, amount] of writes) writeBalanceWei(overlay, address(who), amount);
        settleSupply(overlay, parent);
        const total = [1, 2, 3, 4, 5].reduce((sum, who) => sum + readBalanceWei(overlay, address(who)), 0n);
        expect(readSupplyWei(overlay)).toBe(total);
      }),
    );
  });
});

describe('association', () => {
  it('joins the cast balance to the chain account, in both directions of lookup', () => {
    const overlay = new Overlay(EMPTY_STATE);
    writeBalanceWei(overlay, address(1), 1_999_999_999_999n);
    writeBalanceWei(overlay, address(2), 1n);
    const publicKey = new Uint8Array(33).fill(2);
    expect(associate(overlay, { evmAddress: address(1), chainAddress: address(2), publicKey })).toBe(true);
    expect(readBalanceWei(overlay, address(1))).toBe(2_000_000_000_000n);
    expect(readAccountWei(overlay, address(1))).toBe(0n);
    expect(readAccountWei(overlay, address(2))).toBe(2_000_000_000_000n);
    expect(equalBytes(readChainAddress(overlay, address(1))!, address(2))).toBe(true);
    expect(equalBytes(readEvmAddress(overlay, address(2))!, address(1))).toBe(true);
    expect(readAccount(overlay, address(2))!.publicKey).toEqual(publicKey);
  });

  it('is permanent: again is nothing new, elsewhere is refused', () => {
    const overlay = new Overlay(EMPTY_STATE);
    associate(overlay, { evmAddress: address(1), chainAddress: address(2) });
    expect(associate(overlay, { evmAddress: address(1), chainAddress: address(2) })).toBe(false);
    expect(() => associate(overlay, { evmAddress: address(1), chainAddress: address(3) })).toThrow(
      /already has association set/,
    );
    expect(() => associate(overlay, { evmAddress: address(3), chainAddress: address(2) })).toThrow(
      /already has association set/,
    );
  });
});

describe('accounts', () => {
  it('are numbered in the order of their making and keep key and sequence', () => {
    const overlay = new Overlay(EMPTY_STATE);
    for (let i = 0; i < 200; i++) {
      expect(ensureAccount(overlay, address(i)).accountNumber).toBe(BigInt(i));
    }
    const account = {
      ...ensureAccount(overlay, address(7)),
      publicKey: new Uint8Array(33).fill(3),
      sequence: 9n,
    };
    writeAccount(overlay, account);
    expect(readAccount(overlay, address(7))).toEqual(account);
    expect(readAccount(overlay, address(201))).toBeUndefined();
  });

  it('have the module address of the fee collector as the Cosmos SDK derives it', () => {
    expect(bytesToHex(FEE_COLLECTOR_CHAIN_ADDRESS)).toBe('f1829676db577682e944fc3493d451b67ff3e29f');
    expect(toBech32(FEE_COLLECTOR_CHAIN_ADDRESS, 'cosmos')).toBe(
      'cosmos17xpfvakm2amg962yls6f84z3kell8c5lserqta',
    );
  });
});

describe('stores', () => {
  it('are listed once each, ascending', () => {
    expect([...new Set(STORE_NAMES)].sort()).toEqual([...STORE_NAMES]);
  });
});
