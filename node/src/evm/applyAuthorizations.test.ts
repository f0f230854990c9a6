import { describe, expect, test } from 'vitest';
import { bytesToBigint, bytesToHex, hexToBytes, signDigest } from '../primitives/index.ts';
import { warmInitialAccess } from './accessList.ts';
import { applyAuthorizations } from './applyAuthorizations.ts';
import { delegationTarget } from './delegation.ts';
import { CALLER, CONTRACT, OTHER, testHost } from './evmTestHost.ts';
import { authorizationHash } from './transaction/authorization.ts';
import type { Authorization } from './transaction/evmTransaction.ts';

const KEY = hexToBytes('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const AUTHORITY = hexToBytes('f39fd6e51aad88f6f4ce6ab8827279cfffb92266');
const CHAIN_ID = 713_714n;

function authorize(change: Partial<Authorization> = {}): Authorization {
  const unsigned = { chainId: CHAIN_ID, address: CONTRACT, nonce: 0n, ...change };
  const { signature, recoveryId } = signDigest(authorizationHash(unsigned), KEY);
  return {
    ...unsigned,
    yParity: BigInt(recoveryId),
    r: bytesToBigint(signature.subarray(0, 32)),
    s: bytesToBigint(signature.subarray(32)),
  };
}

describe('delegations (EIP-7702)', () => {
  test('are set, count the nonce, and refund for an account that exists', () => {
    const { state } = testHost();
    expect(applyAuthorizations(state, [authorize()], CHAIN_ID)).toBe(0n);
    expect(bytesToHex(delegationTarget(state.code(AUTHORITY))!)).toBe(bytesToHex(CONTRACT));
    expect(state.nonce(AUTHORITY)).toBe(1n);
    expect(state.isWarmAddress(AUTHORITY)).toBe(true);
    expect(
      applyAuthorizations(state, [authorize({ nonce: 1n, chainId: 0n, address: OTHER })], CHAIN_ID),
    ).toBe(12_500n);
    expect(bytesToHex(delegationTarget(state.code(AUTHORITY))!)).toBe(bytesToHex(OTHER));
  });

  test('are cleared by the zero address', () => {
    const { state } = testHost();
    const zero = new Uint8Array(20);
    applyAuthorizations(state, [authorize(), authorize({ nonce: 1n, address: zero })], CHAIN_ID);
    expect([state.codeSize(AUTHORITY), state.nonce(AUTHORITY)]).toEqual([0, 2n]);
  });

  test('are skipped with another chain, a wrong nonce, a bad signature, or over a contract', () => {
    const { state } = testHost();
    const skipped = [
      authorize({ chainId: 1n }),
      authorize({ nonce: 3n }),
      authorize({ nonce: 2n ** 64n - 1n }),
      { ...authorize(), yParity: 2n },
      { ...authorize(), s: 0n },
    ];
    expect(applyAuthorizations(state, skipped, CHAIN_ID)).toBe(0n);
    expect(state.isEmpty(AUTHORITY)).toBe(true);
    state.setCode(AUTHORITY, Uint8Array.of(0));
    applyAuthorizations(state, [authorize()], CHAIN_ID);
    expect([state.codeSize(AUTHORITY), state.nonce(AUTHORITY)]).toEqual([1, 0n]);
  });

  test('warm their target when the transaction calls the delegating account', () => {
    const { state } = testHost();
    applyAuthorizations(state, [authorize()], CHAIN_ID);
    const slot = new Uint8Array(32);
    warmInitialAccess(state, {
      sender: CALLER,
      to: AUTHORITY,
      coinbase: CALLER,
      accessList: [{ address: OTHER, storageKeys: [slot] }],
      fork: 'prague',
    });
    expect([CALLER, AUTHORITY, CONTRACT, OTHER].every((address) => state.isWarmAddress(address))).toBe(true);
    expect(state.isWarmSlot(OTHER, slot)).toBe(true);
  });
});
