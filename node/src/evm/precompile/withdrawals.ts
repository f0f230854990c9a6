import { BASE_DENOMINATION } from '../../ledger/index.ts';
import { parseEvent } from './abi/parseAbi.ts';
import { eventLog } from './eventLog.ts';
import type { PrecompileCall } from './precompileMethod.ts';

export const WITHDRAWN = parseEvent(
  'DelegationRewardsWithdrawn(address indexed delegator, string validator, uint256 amount)',
);

/** A payment of rewards that the ledger told of. */
interface Withdrawal {
  readonly validator: string;
  readonly amount: bigint;
}

/** What the call has paid out to a delegator so far: stake that changes pays what it earned. */
export function withdrawalsOf({ ledger }: PrecompileCall, delegator: string): Withdrawal[] {
  return ledger.events.events.flatMap(({ type, attributes }) => {
    const textOf = (key: string) => attributes.find((attribute) => attribute.key === key)?.value ?? '';
    if (type !== 'withdraw_rewards' || textOf('delegator') !== delegator) return [];
    const amount = textOf('amount').replace(BASE_DENOMINATION, '');
    return [{ validator: textOf('validator'), amount: BigInt(amount || '0') }];
  });
}

/** An event for each payment that was one. */
export function tellWithdrawals(call: PrecompileCall, delegator: string): void {
  for (const { validator, amount } of withdrawalsOf(call, delegator)) {
    if (amount > 0n) call.emit(eventLog(call, WITHDRAWN, [call.context.caller, validator, amount]));
  }
}
