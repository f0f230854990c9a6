/**
 * A query service's answer as the gateway's JSON: `ask('/cosmos.bank.v1beta1.Query/AllBalances', { address })`.
 * Rejects with the errors of the query services.
 */
export type AskLedger = (
  method: string,
  parameters: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<unknown>;

/** The ledger's queries, for one request of a browser. */
export class LedgerReader {
  readonly #ask: AskLedger;
  readonly #signal: AbortSignal;

  constructor(ask: AskLedger, signal: AbortSignal) {
    this.#ask = ask;
    this.#signal = signal;
  }

  /** The answer, or `undefined` where there is none. */
  async find<T>(method: string, parameters: Readonly<Record<string, string>>): Promise<T | undefined> {
    try {
      return (await this.#ask(method, parameters, this.#signal)) as T;
    } catch {
      // Every refusal of a query (no such account, pruned, no time left) leaves its part of the page out.
      return undefined;
    }
  }
}
