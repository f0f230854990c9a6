import { CodedError } from '@chain/platform';
import type { KeyRange, KeyValue, PointReads } from '../state/view/index.ts';
import type { LedgerQueryDeps, LedgerQueryOptions } from './ledgerQueryDeps.ts';
import { queryErrors } from './queryErrors.ts';

/** What the generated code of a protobuf message offers. */
interface Codec<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}

/** What a handler works with: the node, and the state of the asked height. */
export interface QueryScope {
  readonly options: LedgerQueryOptions;
  readonly deps: LedgerQueryDeps;
  readonly height: number;
  readonly state: PointReads;
  /** Ordered reads of a store of the base layer, at the same height. */
  iterate(store: string, range: KeyRange): AsyncIterable<KeyValue>;
  /** Throws QUERY_TIMEOUT or QUERY_CANCELLED once the answer is not awaited any more. */
  checkTime(): void;
}

export interface QueryMethod {
  /** `/cosmos.bank.v1beta1.Query/Balance` */
  readonly path: string;
  run(request: Uint8Array, scope: QueryScope): Promise<Uint8Array>;
}

/** A method of a service from the codecs of its request and its answer, and a handler. */
export function queryMethod<Q, A>(
  path: string,
  [request, answer]: readonly [Codec<Q>, Codec<A>],
  handle: (request: Q, scope: QueryScope) => A | Promise<A>,
): QueryMethod {
  return {
    path,
    run: async (bytes, scope) =>
      answer.encode(await handle(decodeRequest(request, bytes, path), scope)).finish(),
  };
}

function decodeRequest<Q>(codec: Codec<Q>, bytes: Uint8Array, path: string): Q {
  try {
    return codec.decode(bytes);
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    throw queryErrors.invalid(`the request of ${path} is not valid protobuf`, cause);
  }
}
