import { RPC_CODE } from '../rpcError.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Answer } from './largeAnswer.ts';

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

export function askRpcOf(dispatcher: Dispatcher): AskRpc {
  return async (method, params, { client, signal, maxBytes }) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    const answer = await dispatcher.answer(body, {
      client,
      onGone: (listener) => signal.addEventListener('abort', listener, { once: true }),
      setHeader: () => undefined,
    });
    if (answer.length > maxBytes) {
      const message = `the answer of ${method} has more than ${maxBytes} bytes`;
      return { error: { code: RPC_CODE.responseTooLarge, message } };
    }
    return JSON.parse(textOf(answer)) as AskedAnswer;
  };
}

function textOf(answer: Answer): string {
  if (typeof answer === 'string') return answer;
  return Buffer.concat(answer.parts.map((part) => Buffer.from(part as Uint8Array))).toString('utf8');
}
