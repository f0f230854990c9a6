import type { EvmState } from '../evmState.ts';
import type { Frame } from './frame.ts';
import { GAS, STACK_TOP } from './layout.ts';
import type { LinearMemory } from './linearMemory.ts';

const COLD_ACCOUNT = 2_600;
const NEW_ACCOUNT = 25_000;

/**
 * SELFDESTRUCT (EIP-6780): sends all wei to the beneficiary, and marks the account for removal when this
 * transaction created it. False when the frame cannot pay.
 */
export function destroySelf(memory: LinearMemory, state: EvmState, { record, self }: Frame): boolean {
  const beneficiary = memory.wordBytes(memory.u32(record + STACK_TOP) - 32, 20);
  const balance = state.balance(self);
  let gas = memory.i64(record + GAS);
  if (!state.isWarmAddress(beneficiary)) {
    state.warmAddress(beneficiary);
    gas -= COLD_ACCOUNT;
  }
  if (balance > 0n && state.isEmpty(beneficiary)) gas -= NEW_ACCOUNT;
  memory.setI64(record + GAS, gas);
  if (gas < 0) return false;
  const isNew = state.isCreated(self);
  const isSame = Buffer.compare(self, beneficiary) === 0;
  if (isNew) state.markDestroyed(self);
  if (balance > 0n && (!isSame || isNew)) state.setBalance(self, 0n);
  if (balance > 0n && !isSame) state.setBalance(beneficiary, state.balance(beneficiary) + balance);
  return true;
}
