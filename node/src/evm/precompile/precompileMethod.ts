import type { MessageContext } from '../../ledger/index.ts';
import type { EvmLog } from '../../types/index.ts';
import type { AbiValue } from './abi/abiType.ts';
import { type AbiFunction, parseFunction } from './abi/parseAbi.ts';
import type { PrecompileContext } from './precompile.ts';

/** What a method works with: reads and writes of `ledger` are metered, and undone when the call fails. */
export interface PrecompileCall {
  readonly context: PrecompileContext;
  readonly ledger: MessageContext;
  /** In wei; 0 where the call itself moves nothing. */
  readonly value: bigint;
  /** Of the precompile: where its events come from. */
  readonly address: Uint8Array;
  emit(log: EvmLog): void;
}

/** A success that returns nothing, whatever the method declares. */
export const NO_RETURN_DATA = Symbol('no return data');
type Results = readonly AbiValue[] | typeof NO_RETURN_DATA;

/** A method of a precompile. Throws EVM_PRECOMPILE_REFUSED or LEDGER_REFUSED. */
export interface PrecompileMethod {
  readonly abi: AbiFunction;
  run(args: readonly AbiValue[], call: PrecompileCall): Results;
}

/** A method by its signature, see `parseFunction`; `Args` are the values of its parameters. */
export function precompileMethod<Args extends readonly AbiValue[]>(
  signature: string,
  run: (args: Args, call: PrecompileCall) => Results,
): PrecompileMethod {
  // The values were decoded by the signature that `Args` mirrors.
  return { abi: parseFunction(signature), run: (args, call) => run(args as unknown as Args, call) };
}

/** Writes state: not for a STATICCALL, nor in another contract's name. */
export function writesState({ abi: { mutability } }: PrecompileMethod): boolean {
  return mutability === 'nonpayable' || mutability === 'payable';
}
