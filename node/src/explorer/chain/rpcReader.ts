import { pageFailure } from './pageFailure.ts';

/** The shape of JSON-RPC's `ask`. */
export type AskRpc = (
  method: string,
  params: readonly unknown[],
  call: { readonly client: string; readonly signal: AbortSignal; readonly maxBytes: number },
) => Promise<{ readonly result: unknown } | { readonly error: RpcFailure }>;

export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An answer of this size is parsed within some milliseconds; a page with more would help nobody. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** JSON-RPC's methods, for one request of a browser. */
export class RpcReader {
  readonly #ask: AskRpc;
  readonly #call: { readonly client: string; readonly signal: AbortSignal; readonly maxBytes: number };

  constructor(ask: AskRpc, call: { readonly client: string; readonly signal: AbortSignal }) {
    this.#ask = ask;
    this.#call = { ...call, maxBytes: MAX_ANSWER_BYTES };
  }

  /** The result of a method; its type is the one that the method's schema declares. Throws EXPLORER_NOT_SHOWN. */
  async get<T>(method: string, ...params: readonly unknown[]): Promise<T> {
    const answer = await this.try<T>(method, ...params);
    if ('error' in answer) throw pageFailure(502, `${method}: ${answer.error.message}`);
    return answer.result;
  }

  /** The result, or the error as the method gave it. */
  async try<T>(
    method: string,
    ...params: readonly unknown[]
  ): Promise<{ readonly result: T } | { readonly error: RpcFailure }> {
    const answer = await this.#ask(method, params, this.#call);
    return answer as { readonly result: T } | { readonly error: RpcFailure };
  }

  /** The result, or `undefined` where the node refuses: for parts that a page can do without. */
  async find<T>(method: string, ...params: readonly unknown[]): Promise<T | undefined> {
    const answer = await this.try<T | null>(method, ...params);
    return 'error' in answer ? undefined : (answer.result ?? undefined);
  }
}
