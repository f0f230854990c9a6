import { CodedError } from '@chain/platform';

/** A call that fails as CometBFT's does: the text becomes `error.data` beside −32603 "Internal error". */
export function rpcFailure(text: string): CodedError {
  return new CodedError('COMETRPC_FAILED', text);
}

/** Parameters that cannot be read: −32602 "Invalid params", or −32603 over WebSocket, as CometBFT has it. */
export function invalidParams(text: string): CodedError {
  return new CodedError('COMETRPC_PARAMS', text);
}
