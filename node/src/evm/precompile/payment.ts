import { WEI_PER_UNIT } from '../../ledger/index.ts';
import { refused } from './precompileError.ts';
import type { PrecompileCall } from './precompileMethod.ts';

/** Gives the value of a call back to the caller, from whom the ledger then takes what it needs (spec L-10). */
export function refundValue({ context, value, address }: PrecompileCall): void {
  const { state, caller } = context;
  if (value === 0n) return;
  state.setBalance(address, state.balance(address) - value);
  state.setBalance(caller, state.balance(caller) + value);
}

/** The value in whole units of the base denomination. */
export function unitsOf({ value }: PrecompileCall): bigint {
  const remainder = value % WEI_PER_UNIT;
  if (remainder === 0n) return value / WEI_PER_UNIT;
  throw refused(
    `selected precompile function does not allow payment with non-zero wei remainder: received ${remainder}`,
  );
}
