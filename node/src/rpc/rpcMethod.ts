import type { Param } from './codec/codec.ts';
import type { RpcDeps } from './rpcDeps.ts';
import type { JsonSchema } from './schema/jsonSchema.ts';
import type { Topic } from './subscriptions/topic.ts';

/** What a call knows of its caller, whatever the transport. */
export interface RpcCall {
  /** Where the call came from; caps of one client go by it. */
  readonly client: string;
  /** For HTTP; other transports drop it. */
  setHeader(name: string, value: string): void;
  /** Aborted when nobody waits for the answer any more: the caller is gone, or the time is up. */
  readonly signal: AbortSignal;
  /** Only where something can be pushed. */
  readonly subscriptions?: CallSubscriptions | undefined;
}

/** What a transport gives to the dispatcher. */
export interface Caller extends Omit<RpcCall, 'signal'> {
  /** Calls `listener` once the caller is gone; it may also be called after the answer. */
  onGone(listener: () => void): void;
}

/** The subscriptions of the connection that a call came over. */
export interface CallSubscriptions {
  /** Gives its id. Throws −32000 when there are too many. */
  add(topic: Topic): string;
  /** JSON texts that a new subscription is told before all else; only before its id is sent. */
  replay(id: string, results: readonly string[]): void;
  /** Whether there was one. */
  remove(id: string): boolean;
}

/** Data with a floor of its own: below it a request cannot be answered. `stateBefore`: what a block ran on. */
export type Need = 'blocks' | 'receipts' | 'state' | 'stateBefore' | 'proofs';

/** An error that a method has beside those of its parameters and its needs. */
export interface MethodError {
  readonly code: number;
  readonly message: string;
}

/**
 * What a block parameter stands for, found before `handle` by what it names. Throws −32000 where there is no such
 * thing, or where it is below the floor of one of the method's `needs`.
 */
export type BlockResolver<Id, R> = (deps: RpcDeps, id: Id, needs: readonly Need[]) => R | Promise<R>;

/** A parameter that names a block; `handle` gets what was resolved. */
export interface BlockParam<Id, R> extends Param<Id> {
  readonly resolve: BlockResolver<Id, R>;
}

export function resolved<Id, R>(param: Param<Id>, resolve: BlockResolver<Id, R>): BlockParam<Id, R> {
  return { ...param, resolve };
}

/** A parameter as the table holds it. */
export type MethodParam = Param<unknown> & { readonly resolve?: BlockResolver<never, unknown> };

/** What the table says of a method; docs, `rpc_discover` and the conformance test are made from it. */
export interface MethodDeclaration {
  readonly name: string;
  /** One sentence without a full stop. */
  readonly summary: string;
  readonly params: readonly MethodParam[];
  readonly result: JsonSchema;
  /** Which data at the block asked for it reads; none when absent. */
  readonly needs?: readonly Need[];
  /** It only reads, and may take long: in a batch, calls behind it do not wait for it. */
  readonly isLong?: boolean;
  /** It hands a transaction in: neighbours in a batch may be under way together, and come in in their order. */
  readonly isSubmission?: boolean;
  /** Set where a method can only be called over that transport. */
  readonly transport?: 'webSocket';
  /** Set where a method exists in development homes only. */
  readonly home?: 'development';
  readonly errors?: readonly MethodError[];
}

/** The capabilities that a list names. */
export type Uses<U extends readonly (keyof RpcDeps)[]> = Pick<RpcDeps, U[number]>;

/** One method: what it is, what it uses, and what it does. */
export interface RpcMethod extends MethodDeclaration {
  readonly uses?: readonly (keyof RpcDeps)[];
  /** In place of the node's own, for a namespace of its own. */
  readonly given?: (deps: RpcDeps) => Partial<RpcDeps>;
  /** `args` are decoded and resolved, one for each parameter; `deps` has what `uses` names and nothing else. */
  handle(deps: RpcDeps, args: readonly unknown[], call: RpcCall): unknown;
}

export type Args<P extends readonly MethodParam[]> = {
  -readonly [K in keyof P]: P[K] extends { readonly resolve: BlockResolver<never, infer R> }
    ? R
    : P[K] extends Param<infer T>
      ? T
      : never;
};

/** Defines a method; `handle` gets its dependencies typed by `uses`, its arguments by `params`. A promise is awaited. */
export function rpcMethod<
  const P extends readonly MethodParam[],
  const U extends readonly (keyof RpcDeps)[] = readonly [],
>(
  definition: MethodDeclaration & {
    readonly params: P;
    readonly uses?: U;
    readonly handle: (deps: Uses<U>, args: Args<P>, call: RpcCall) => unknown;
  },
): RpcMethod {
  // Args<P> is what decoding and resolving `params` gives, which the type of a table entry cannot say.
  return definition as unknown as RpcMethod;
}
