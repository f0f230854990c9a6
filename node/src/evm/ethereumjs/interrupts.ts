import type { EVM } from '@ethereumjs/evm';
import { Op } from '../instructions/index.ts';

/** What an execution under way is asked for at each turn of a loop. */
export interface InterruptHook {
  check: ((gas?: number) => void) | undefined;
}

interface Internals {
  readonly _opcodeMap: { opHandler: () => void }[];
}

/** Turns between two checks: a check reads a clock. */
const EVERY = 32;

/** Puts a hook into JUMPDEST, which does nothing by itself and which every loop passes. */
export function interruptible(evm: EVM): InterruptHook {
  const hook: InterruptHook = { check: undefined };
  let turns = 0;
  (evm as unknown as Internals)._opcodeMap[Op.JUMPDEST]!.opHandler = () => {
    if (hook.check !== undefined && ++turns % EVERY === 0) hook.check();
  };
  return hook;
}
