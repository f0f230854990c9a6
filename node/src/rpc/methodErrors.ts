import { RPC_CODE } from './rpcError.ts';
import type { MethodError } from './rpcMethod.ts';

/** What the docs say of errors that several methods have; `…` stands for a text that depends on the call. */
const server = (message: string): MethodError => ({ code: RPC_CODE.server, message });

export const EXECUTION_REVERTED: MethodError = { code: RPC_CODE.reverted, message: 'execution reverted: …' };
export const EXECUTION_FAILED: MethodError = server(
  'out of gas, err: insufficient funds for gas * price + value, …',
);
export const NO_SUCH_FILTER: MethodError = server('filter does not exist');
export const REVERSED_RANGE: MethodError = server('requested fromBlock … is greater than toBlock …');
export const BAD_STORAGE_KEY: MethodError = {
  code: RPC_CODE.invalidParams,
  message: 'unable to decode storage key: …',
};
export const BAD_PROOF_KEYS: readonly MethodError[] = [
  { code: RPC_CODE.invalidParams, message: 'invalid storage key …: …' },
  server('too many storage keys: got …, max 1024'),
];
export const REJECTED: MethodError = server(
  'incorrect account sequence: nonce too low, insufficient fee, insufficient funds for gas * price + value, replacement transaction underpriced, transaction underpriced, txpool is full, already known, …',
);
export const NOT_ASSOCIATED: MethodError = server('failed to find … address for …');
export const TRANSACTION_NOT_FOUND: MethodError = server('transaction not found');
export const BLOCK_NOT_FOUND: MethodError = server('block not found');
/** The codes of eth_simulateV1 (ethereum/execution-apis). */
export const SIMULATION_REFUSED: readonly MethodError[] = [
  { code: -38010, message: 'nonce too low: …' },
  { code: -38011, message: 'nonce too high: …' },
  { code: -38012, message: 'max fee per gas less than block base fee: …' },
  { code: -38013, message: 'intrinsic gas too low: …' },
  { code: -38014, message: 'insufficient funds for gas * price + value: …' },
  { code: -38015, message: 'block gas limit reached: …' },
  { code: -38020, message: 'block numbers must be in order: …' },
  { code: -38021, message: 'block timestamps must be in order: …' },
  { code: -38022, message: 'account … is moved to itself' },
  { code: -38023, message: 'account … has already been overridden by a precompile' },
  { code: -38025, message: 'max initcode size exceeded: …' },
  { code: -38026, message: 'too many blocks: …' },
];
export const TRACE_REFUSED: MethodError = server(
  'block number … is beyond max lookback of …, genesis is not traceable, …',
);
export const TRACING_FAILED: MethodError = server('tracing failed: …, execution timeout, …');
