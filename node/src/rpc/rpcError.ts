import { CodedError } from '@chain/platform';

/** JSON-RPC error codes (spec R-3). */
export const RPC_CODE = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  server: -32000,
  timeout: -32002,
  responseTooLarge: -32003,
  busy: -32005,
  reverted: 3,
} as const;

/** An error whose JSON-RPC code and data are decided; any other coded error is answered as −32000. */
export class RpcError extends CodedError<'RPC_ERROR'> {
  readonly rpcCode: number;
  /** Goes into the error object as it is; left out when `undefined`. */
  readonly data: unknown;

  constructor(rpcCode: number, message: string, data?: unknown) {
    super('RPC_ERROR', message, { fields: { rpcCode } });
    this.rpcCode = rpcCode;
    this.data = data;
  }
}

export function serverError(message: string): RpcError {
  return new RpcError(RPC_CODE.server, message);
}

export function methodNotFound(method: string): RpcError {
  return new RpcError(RPC_CODE.methodNotFound, `the method ${method} does not exist/is not available`);
}

/** A parameter (or a part of one) that cannot be read; the dispatcher adds its index. */
export class InvalidParam extends CodedError<'RPC_INVALID_PARAM'> {
  constructor(detail: string) {
    super('RPC_INVALID_PARAM', detail);
  }
}
