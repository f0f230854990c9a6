import type { HttpReply } from '@chain/platform/servers';

const MAX_ANSWERS = 1000;
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** Services whose answers follow from the state of a height alone. */
const OF_STATE =
  /^\/(cosmos\.(auth|bank|staking|distribution|slashing|evidence)\.v1beta1|chain\.evm\.v1)\.Query\//;
/** Reads the history too, of which a prune may take away in the midst of a height. */
const OF_HISTORY = '/cosmos.staking.v1beta1.Query/HistoricalInfo';

export const followsFromState = (path: string): boolean => OF_STATE.test(path) && path !== OF_HISTORY;

/**
 * Answers by their URLs, for as long as their height is the newest: wallets and dashboards ask the same again and
 * again between two blocks.
 */
export class AnswersOfHeight {
  readonly #newest: () => number;
  readonly #answers = new Map<string, HttpReply>();
  #height = -1;
  #characters = 0;

  constructor(newest: () => number) {
    this.#newest = newest;
  }

  find(url: string): HttpReply | undefined {
    this.#turn();
    return this.#answers.get(url);
  }

  /** `height` is that of the answer's state. */
  keep(url: string, height: number, reply: HttpReply & { readonly body: string }): void {
    this.#turn();
    const size = url.length + reply.body.length;
    if (height !== this.#height || this.#characters + size > MAX_CHARACTERS) return;
    if (this.#answers.size === MAX_ANSWERS) return;
    this.#characters += size;
    this.#answers.set(url, reply);
  }

  /** Blocks were taken back. */
  clear(): void {
    this.#answers.clear();
    this.#characters = 0;
  }

  #turn(): void {
    const newest = this.#newest();
    if (newest === this.#height) return;
    this.#height = newest;
    this.clear();
  }
}
