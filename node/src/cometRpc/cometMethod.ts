import type { CometDeps } from './cometDeps.ts';
import type { Json } from './json/values.ts';
import type { ParamKind } from './params/paramKinds.ts';

/** Who calls: told when the connection is gone, so that a wait can end. */
export interface Caller {
  onGone(listener: () => void): void;
  /** Only over WebSocket. */
  readonly subscriber?: Subscriber;
}

/** The subscriptions of one WebSocket connection. */
export interface Subscriber {
  /** Throws with CometBFT's texts. `id` comes back with each event. */
  subscribe(query: string, id: string | number): void;
  unsubscribe(query: string): void;
  unsubscribeAll(): void;
}

/** What a method gets besides its parameters. */
export interface CallScope {
  readonly deps: CometDeps;
  readonly caller: Caller;
  readonly id: string | number;
}

type Kinds = Readonly<Record<string, ParamKind<unknown>>>;
type Values<K extends Kinds> = { readonly [N in keyof K]: K[N] extends ParamKind<infer T> ? T : never };

/** One method of the table. */
export interface CometMethod {
  readonly name: string;
  /** A sentence without its full stop. */
  readonly summary: string;
  /** In CometBFT's order. */
  readonly params: Kinds;
  /** Answers to it may be cached: always, or when this parameter is given. */
  readonly cacheable?: true | string;
  /** Only over WebSocket. */
  readonly webSocketOnly?: true;
  handle(params: Readonly<Record<string, unknown>>, scope: CallScope): Json | Promise<Json>;
}

/** Ties the types of `handle` to those of `params`. */
export function cometMethod<K extends Kinds>(
  method: Omit<CometMethod, 'params' | 'handle'> & {
    readonly params: K;
    handle(params: Values<K>, scope: CallScope): Json | Promise<Json>;
  },
): CometMethod {
  return method as unknown as CometMethod;
}
