import { hasFork } from '../../fork/evmFork.ts';
import type { Frame, MessageScope } from '../frames/index.ts';
import {
  DONE_DESTROY,
  GAS,
  IS_STATIC,
  OUT_OF_GAS,
  REFUND,
  STACK_TOP,
  WRITE_PROTECTED,
} from '../memory/layout.ts';
import type { Account } from '../tables/index.ts';

const COLD_ACCOUNT = 2_600;
const NEW_ACCOUNT = 25_000;
/** Until London (EIP-3529). */
const DESTROY_REFUND = 24_000;

/**
 * SELFDESTRUCT: sends all wei to the beneficiary, and marks the account for removal; from Cancun on only when this
 * transaction created it (EIP-6780). Gives how the frame ends.
 */
export function destroySelf(scope: MessageScope, frame: Frame): number {
  const { memory, accounts, host, watch } = scope;
  const { state } = host;
  const { record } = frame;
  const self = frame.self.address;
  const heir = accounts.at(memory.u32(record + STACK_TOP) - 32);
  const beneficiary = heir.address;
  const balance = state.balance(self);
  const gas = memory.i64(record + GAS) - heirGas(scope, self, heir);
  accounts.warm(heir);
  memory.setI64(record + GAS, gas);
  if (gas < 0) return OUT_OF_GAS;
  watch?.look({ kind: 'destruction', address: self, heir: beneficiary });
  if (memory.u32(record + IS_STATIC) === 1) return WRITE_PROTECTED;
  watch?.destroyed(self, beneficiary, balance);
  const { fork } = host.block;
  const isRemoved = !hasFork(fork, 'cancun') || state.isCreated(self);
  const isSame = heir === frame.self;
  memory.setI64(REFUND, memory.i64(REFUND) + destroyRefund(scope, self));
  if (isRemoved) state.markDestroyed(self);
  if (balance > 0n && (!isSame || isRemoved)) state.setBalance(self, 0n);
  if (balance > 0n && !isSame) state.setBalance(beneficiary, state.balance(beneficiary) + balance);
  return DONE_DESTROY;
}

/** Of SELFDESTRUCT, above its constant price (EIP-2929, EIP-161). */
export function heirGas(
  { accounts, host: { state } }: Pick<MessageScope, 'accounts' | 'host'>,
  self: Uint8Array,
  heir: Account,
): number {
  const isNew = state.balance(self) > 0n && state.isEmpty(heir.address);
  return (accounts.isWarm(heir) ? 0 : COLD_ACCOUNT) + (isNew ? NEW_ACCOUNT : 0);
}

/** What the refund counter gets when `self` goes. */
export function destroyRefund({ host }: Pick<MessageScope, 'host'>, self: Uint8Array): number {
  return hasFork(host.block.fork, 'london') || host.state.isDestroyed(self) ? 0 : DESTROY_REFUND;
}
