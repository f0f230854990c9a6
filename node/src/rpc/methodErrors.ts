import { RPC_CODE } from './rpcError.ts';
import type { MethodError } from './rpcMethod.ts';

/** What the docs say of errors that several methods have; `…` stands for a text that depends on the call. */
const server = (message: string): MethodError => ({ code: RPC_CODE.server, message });

export const EXECUTION_REVERTED: MethodError = { code: RPC_CODE.reverted, message: 'execution reverted: …' };
export const EXECUTION_FAILED: MethodError = server(
  'out of gas, err: insufficient funds for gas * price + value, …',
);
export const NO_SUCH_FILTER: MethodError = server('filter does not exist');
export const BAD_STORAGE_KEY: MethodError = server('unable to decode storage key: …');
export const REJECTED: MethodError = server(
  'incorrect account sequence, insufficient fee, insufficient funds, …',
);
export const NOT_ASSOCIATED: MethodError = server('failed to find … address for …');
export const TRANSACTION_NOT_FOUND: MethodError = server('transaction not found');
export const BLOCK_NOT_FOUND: MethodError = server('block not found');
