import { parseJson } from '@chain/platform';
import { RPC_CODE } from '../rpcError.ts';
import type { AskedAnswer, AskRpc } from './askedCall.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Answer } from './largeAnswer.ts';

/** A trace of 1,024 frames within each other has two levels for each. */
const MAX_DEPTH = 4096;

/** See AskRpc. */
export function askRpcOf(dispatcher: Dispatcher): AskRpc {
  return async (method, params, { client, signal, maxBytes }) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    const answer = await dispatcher.answer(body, {
      client,
      // A signal tells of its abort once; a later listener would wait in vain.
      onGone: (listener) =>
        signal.aborted
          ? queueMicrotask(listener)
          : signal.addEventListener('abort', listener, { once: true }),
      setHeader: () => undefined,
    });
    if (answer.length > maxBytes) {
      const message = `the answer of ${method} has more than ${maxBytes} bytes`;
      return { error: { code: RPC_CODE.responseTooLarge, message } };
    }
    return parseJson(textOf(answer), { maxDepth: MAX_DEPTH }) as AskedAnswer;
  };
}

function textOf(answer: Answer): string {
  if (typeof answer === 'string') return answer;
  return Buffer.concat(answer.parts.map((part) => Buffer.from(part as Uint8Array))).toString('utf8');
}
