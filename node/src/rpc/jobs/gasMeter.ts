import type { Interrupt } from '../../evm/index.ts';

/** Code asks whether to go on once in so much gas at least, and tells what it burned when a frame rests. */
const QUESTION_GAS = 250_000;
/** A precompile runs to its end without a question: its gas counts as so much of code's. */
const PRECOMPILE_WEIGHT = 10;

/**
 * What a job burns as it runs: the same on every machine, however busy it is. `check` is asked at each question, with
 * the gas so far, and ends the job by throwing.
 */
export class GasMeter {
  readonly #check: (gas: number) => void;
  #burnt = 0;
  /** Since the last `onBurn`. */
  #asked = 0;

  constructor(check: (gas: number) => void) {
    this.#check = check;
  }

  get gas(): number {
    return this.#burnt + this.#asked;
  }

  readonly interrupt: Interrupt = (gas) => {
    if (gas === undefined) this.#asked += QUESTION_GAS;
    else this.#burnt += gas * PRECOMPILE_WEIGHT;
    this.#check(this.gas);
  };

  readonly onBurn = (gas: number): void => {
    this.#burnt += gas;
    this.#asked = 0;
  };
}
