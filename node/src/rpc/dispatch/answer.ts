import { isCodedError } from '@chain/platform';
import { RawJson, toJson } from '../rawJson.ts';
import { RPC_CODE, RpcError } from '../rpcError.ts';
import { type Answer, LargeAnswer } from './largeAnswer.ts';

const LARGE_CHARACTERS = 4096;

/** The answer to one request as JSON text: members in the order `jsonrpc`, `id`, then `result` or `error`. */
export function resultText(id: string, result: unknown): Answer {
  if (result instanceof RawJson && result.size >= LARGE_CHARACTERS) {
    return new LargeAnswer(`{"jsonrpc":"2.0","id":${id},"result":`, ...result.pieces, '}');
  }
  return `{"jsonrpc":"2.0","id":${id},"result":${toJson(result)}}`;
}

export function errorText(id: string, error: RpcError): string {
  const data = error.data === undefined ? '' : `,"data":${JSON.stringify(error.data)}`;
  const message = JSON.stringify(error.message);
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${error.rpcCode},"message":${message}${data}}}`;
}

export function invalidRequest(message: string): RpcError {
  return new RpcError(RPC_CODE.invalidRequest, message);
}

/**
 * What a handler threw, as the wire shows it. Errors with a code of ours are answers, −32000 unless the table says
 * otherwise; `undefined` is a fault of this program.
 */
export function toRpcError(error: unknown): RpcError | undefined {
  if (error instanceof RpcError) return error;
  if (!isCodedError(error)) return undefined;
  if (error.code === 'EXECUTION_REVERTED') {
    return new RpcError(RPC_CODE.reverted, error.message, error.fields.data);
  }
  if (error.code === 'THREADS_BUSY') {
    return new RpcError(RPC_CODE.busy, error.message, { retryAfterMs: error.fields.retryAfterMs });
  }
  return new RpcError(RPC_CODE.server, error.message);
}
