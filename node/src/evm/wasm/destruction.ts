import { hasFork } from '../fork/evmFork.ts';
import type { ExecutionScope } from './executionScope.ts';
import type { Frame } from './frame.ts';
import { DONE_DESTROY, GAS, IS_STATIC, OUT_OF_GAS, REFUND, STACK_TOP, WRITE_PROTECTED } from './layout.ts';

const COLD_ACCOUNT = 2_600;
const NEW_ACCOUNT = 25_000;
/** Until London (EIP-3529). */
const DESTROY_REFUND = 24_000;

/**
 * SELFDESTRUCT: sends all wei to the beneficiary, and marks the account for removal; from Cancun on only when this
 * transaction created it (EIP-6780). Gives how the frame ends.
 */
export function destroySelf({ memory, accounts, host, watch }: ExecutionScope, frame: Frame): number {
  const { state } = host;
  const { record } = frame;
  const self = frame.self.address;
  const heir = accounts.at(memory.u32(record + STACK_TOP) - 32);
  const beneficiary = heir.address;
  const balance = state.balance(self);
  let gas = memory.i64(record + GAS);
  if (accounts.warm(heir)) gas -= COLD_ACCOUNT;
  if (balance > 0n && state.isEmpty(beneficiary)) gas -= NEW_ACCOUNT;
  memory.setI64(record + GAS, gas);
  if (gas < 0) return OUT_OF_GAS;
  if (memory.u32(record + IS_STATIC) === 1) return WRITE_PROTECTED;
  watch?.destroyed(self, beneficiary, balance);
  const { fork } = host.block;
  const isRemoved = !hasFork(fork, 'cancun') || state.isCreated(self);
  const isSame = heir === frame.self;
  if (!hasFork(fork, 'london') && !state.isDestroyed(self)) {
    memory.setI64(REFUND, memory.i64(REFUND) + DESTROY_REFUND);
  }
  if (isRemoved) state.markDestroyed(self);
  if (balance > 0n && (!isSame || isRemoved)) state.setBalance(self, 0n);
  if (balance > 0n && !isSame) state.setBalance(beneficiary, state.balance(beneficiary) + balance);
  return DONE_DESTROY;
}
