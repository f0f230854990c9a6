import type { Param } from './codec/codec.ts';
import type { RpcDeps } from './rpcDeps.ts';

/** The HTTP side of one call, for the few methods that have one. */
export interface RpcCall {
  setHeader(name: string, value: string): void;
}

/** One method: its name on the wire, its parameters, what it does. */
export interface RpcMethod {
  readonly name: string;
  readonly params: readonly Param<unknown>[];
  /** `args` are decoded, one for each parameter. */
  handle(deps: RpcDeps, args: readonly unknown[], call: RpcCall): unknown;
}

type Args<P extends readonly Param<unknown>[]> = {
  -readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never;
};

/** Defines a method; `handle` gets its arguments typed by `params`. A promise is awaited. */
export function rpcMethod<const P extends readonly Param<unknown>[]>(definition: {
  readonly name: string;
  readonly params: P;
  readonly handle: (deps: RpcDeps, args: Args<P>, call: RpcCall) => unknown;
}): RpcMethod {
  // Args<P> is what decoding `params` gives, which the type of a table entry cannot say.
  return definition as unknown as RpcMethod;
}
