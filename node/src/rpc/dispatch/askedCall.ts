/** Who asks inside the node, and how much it takes. */
export interface AskedCall {
  /** Rates and caps count for it. */
  readonly client: string;
  readonly signal: AbortSignal;
  /** Of the answer; a larger one is refused before it is parsed. */
  readonly maxBytes: number;
}

export type AskedAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

/** Calls a method as a client of the listener would: the same methods, needs, limits, rates and counters. */
export type AskRpc = (method: string, params: readonly unknown[], call: AskedCall) => Promise<AskedAnswer>;
