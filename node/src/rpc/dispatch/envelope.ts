import { InvalidParam, RPC_CODE, RpcError } from '../rpcError.ts';
import type { RpcMethod } from '../rpcMethod.ts';

/** A well-formed request. `id` is JSON text, ready to be sent back; a notification has none. */
export interface Request {
  readonly id: string | undefined;
  readonly method: string;
  readonly params: unknown;
}

/** The id of a request as JSON text: strings, numbers, booleans and null; anything else is no id. */
export function idText(value: unknown): string | undefined {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
    ? JSON.stringify(value)
    : undefined;
}

/** Reads one element of a body; `undefined` when it is no request (json-rpc.md §1.3). */
export function parseRequest(value: unknown): Request | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { jsonrpc, id, method, params } = value as Record<string, unknown>;
  if (jsonrpc !== '2.0' || typeof method !== 'string') return undefined;
  const text = id === undefined ? undefined : idText(id);
  return id !== undefined && text === undefined ? undefined : { id: text, method, params };
}

/** Decodes positional arguments. Throws RpcError −32602 in geth's words, naming the argument's index. */
export function decodeArguments({ params }: RpcMethod, given: unknown): unknown[] {
  const args = given ?? [];
  if (!Array.isArray(args)) throw invalidParams('non-array args');
  if (args.length > params.length) throw invalidParams(`too many arguments, want at most ${params.length}`);
  return params.map((param, index) => {
    const value: unknown = args[index];
    if (value === undefined || value === null) {
      if (param.required) throw invalidParams(`missing value for required argument ${index}`);
      return param.absent();
    }
    try {
      return param.decode(value);
    } catch (error) {
      if (error instanceof InvalidParam) throw invalidParams(`invalid argument ${index}: ${error.message}`);
      throw error;
    }
  });
}

function invalidParams(message: string): RpcError {
  return new RpcError(RPC_CODE.invalidParams, message);
}
