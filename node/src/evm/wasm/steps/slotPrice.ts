import type { MessageScope } from '../frames/index.ts';
import type { LinearMemory } from '../memory/index.ts';
import { CLEAR_REFUND, SLOT_FLAGS, SLOT_ORIGINAL, SLOT_VALUE, SLOT_WARM } from '../memory/layout.ts';

/** EIP-2929, EIP-2200 and EIP-3529. */
const COLD = 2_100;
const WARM = 100;
const SET = 20_000;
const RESET = 2_900;

type Scope = Pick<MessageScope, 'memory'>;

export function slotReadGas({ memory }: Scope, slot: number): number {
  return isWarm(memory, slot) ? WARM : COLD;
}

/** Of writing the word at `value` to a slot. */
export function slotWritePrice(
  { memory }: Scope,
  slot: number,
  value: number,
): { readonly gas: number; readonly refund: number } {
  const surcharge = isWarm(memory, slot) ? 0 : COLD;
  const [current, original] = [slot + SLOT_VALUE, slot + SLOT_ORIGINAL];
  const clearing = memory.i64(CLEAR_REFUND);
  if (memory.isSameWord(current, value)) return { gas: surcharge + WARM, refund: 0 };
  if (memory.isSameWord(original, current)) {
    if (memory.isZeroWord(original)) return { gas: surcharge + SET, refund: 0 };
    return { gas: surcharge + RESET, refund: memory.isZeroWord(value) ? clearing : 0 };
  }
  let refund = 0;
  if (!memory.isZeroWord(original)) {
    if (memory.isZeroWord(current)) refund -= clearing;
    else if (memory.isZeroWord(value)) refund += clearing;
  }
  if (memory.isSameWord(original, value)) {
    refund += (memory.isZeroWord(original) ? SET : RESET) - WARM;
  }
  return { gas: surcharge + WARM, refund };
}

function isWarm(memory: LinearMemory, slot: number): boolean {
  return (memory.u32(slot + SLOT_FLAGS) & SLOT_WARM) !== 0;
}
