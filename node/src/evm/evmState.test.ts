import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readChainAddress } from '../ledger/index.ts';
import { bytesToHex, hexToBytes, padLeft } from '../primitives/index.ts';
import { EMPTY_STATE, Overlay } from '../state/view/index.ts';
import { EvmState } from './evmState.ts';
import {
  EMPTY_CODE_HASH,
  readCode,
  readCodeHash,
  readCodeSize,
  readNonce,
  readStorage,
} from './stateReads.ts';

const addresses = [1, 2, 3].map((last) => padLeft(Uint8Array.of(last), 20));
const slots = [0, 1].map((last) => padLeft(Uint8Array.of(last), 32));
const newState = (): EvmState => new EvmState(new Overlay(EMPTY_STATE));

type Step = {
  kind: 'write' | 'mark' | 'revert';
  field: number;
  account: number;
  slot: number;
  value: number;
};
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('write', 'write', 'write', 'mark', 'revert'),
    field: fc.nat(6),
    account: fc.nat(2),
    slot: fc.nat(1),
    value: fc.nat(3),
  }),
  { maxLength: 60 },
);

function write(state: EvmState, { field, account, slot, value }: Step): void {
  const address = addresses[account]!;
  const writes: (() => void)[] = [
    () => state.setBalance(address, BigInt(value) * 10n ** 12n + BigInt(value)),
    () => state.setNonce(address, BigInt(value)),
    () => state.setCode(address, new Uint8Array(value).fill(value)),
    () => state.setStorage(address, slots[slot]!, Uint8Array.of(value)),
    () => state.setTransientStorage(address, slots[slot]!, Uint8Array.of(value)),
    () => state.warmAddress(address),
    () => state.warmSlot(address, slots[slot]!),
  ];
  writes[field]!();
}

function picture(state: EvmState): string {
  const rows = addresses.map((address) => [
    state.balance(address),
    state.nonce(address),
    bytesToHex(state.code(address)),
    bytesToHex(state.codeHash(address)),
    state.codeSize(address),
    state.isEmpty(address),
    state.isWarmAddress(address),
    ...slots.flatMap((slot) => [
      bytesToHex(state.storage(address, slot)),
      bytesToHex(state.transientStorage(address, slot)),
      bytesToHex(state.originalStorage(address, slot)),
      state.isWarmSlot(address, slot),
    ]),
  ]);
  return rows.map((row) => row.join(' ')).join('\n');
}

describe('EVM state', () => {
  test('goes back to any mark, however deeply they nest', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const state = newState();
        const marks: { mark: ReturnType<EvmState['mark']>; picture: string }[] = [];
        for (const step of taken) {
          if (step.kind === 'write') write(state, step);
          if (step.kind === 'mark') marks.push({ mark: state.mark(), picture: picture(state) });
          const last = step.kind === 'revert' ? marks.pop() : undefined;
          if (!last) continue;
          state.revertTo(last.mark);
          expect(picture(state)).toBe(last.picture);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('leaves no row for zero words, zero nonces and removed code', () => {
    const state = newState();
    const [address] = addresses as [Uint8Array];
    state.setStorage(address, slots[0]!, Uint8Array.of(7));
    state.setNonce(address, 1n);
    state.setCode(address, hexToBytes(`ef0100${'11'.repeat(20)}`));
    const read = () => [
      bytesToHex(readStorage(state.overlay, address, slots[0]!)).slice(-2),
      readNonce(state.overlay, address),
      readCodeSize(state.overlay, address),
    ];
    expect(read()).toEqual(['07', 1n, 23]);
    state.setStorage(address, slots[0]!, new Uint8Array(0));
    state.setNonce(address, 0n);
    state.setCode(address, new Uint8Array(0));
    expect(read()).toEqual(['00', 0n, 0]);
    expect(readCode(state.overlay, address)).toEqual(new Uint8Array(0));
    expect(readCodeHash(state.overlay, address)).toEqual(EMPTY_CODE_HASH);
    const changes = state.overlay.changes().flatMap((store) => store.changes);
    expect(changes.every(({ value }) => value === null)).toBe(true);
  });

  test('associates a contract with its cast address, but not a delegating account', () => {
    const state = newState();
    const [contract, delegating] = addresses as [Uint8Array, Uint8Array];
    state.setCode(contract, Uint8Array.of(0));
    state.setCode(delegating, hexToBytes(`ef0100${'11'.repeat(20)}`));
    expect(readChainAddress(state.overlay, contract)).toEqual(contract);
    expect(readChainAddress(state.overlay, delegating)).toBeUndefined();
  });

  test('original storage is that of the start of the transaction', () => {
    const state = newState();
    const [address] = addresses as [Uint8Array];
    const [slot] = slots as [Uint8Array];
    state.setStorage(address, slot, Uint8Array.of(1));
    state.beginTransaction();
    state.setStorage(address, slot, Uint8Array.of(2));
    expect(state.originalStorage(address, slot)[31]).toBe(1);
    state.beginTransaction();
    expect(state.originalStorage(address, slot)[31]).toBe(2);
  });
});
