import type { CallRequest } from '../../execution/index.ts';
import { CallGas, callKind } from './callGas.ts';

/** What a call may burn on the thread that answers: three to five milliseconds of code in the interpreter. */
export const SLICE_GAS = 1_000_000;
/** Gas of trials that came to nothing, beyond that of calls that ended. */
const MAX_WASTE = 4 * SLICE_GAS;

/**
 * Says whether a call is tried on the thread that answers, by gas alone: what it may burn, what calls like it burned,
 * and how much trials have wasted of late. How busy the machine is changes nothing.
 */
export class Placement {
  readonly #callGas = new CallGas();
  #waste = 0;

  kindOf(job: string, request: CallRequest): string {
    return callKind(job, request);
  }

  isTried(kind: string): boolean {
    const expected = this.#callGas.of(kind);
    return expected === undefined ? this.#waste < MAX_WASTE : expected <= SLICE_GAS;
  }

  /** The call ended, here or elsewhere. */
  ended(kind: string, gas: number): void {
    this.#callGas.note(kind, gas);
    this.#waste = Math.max(0, this.#waste - gas);
  }

  /** The call burned its slice and more was to come; `gas` with what it was about to burn. */
  wasted(kind: string, gas: number): void {
    this.#callGas.note(kind, gas);
    this.#waste += Math.min(gas, SLICE_GAS);
  }
}
