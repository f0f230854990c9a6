import type { KeyRange } from '../state/view/index.ts';
import type { AbciQuery, AbciQueryResult } from './abci/abciQuery.ts';
import { answerApplication } from './abci/answerApplication.ts';
import { answerService } from './abci/answerService.ts';
import type { LedgerQueryDeps, LedgerQueryOptions } from './ledgerQueryDeps.ts';
import type { QueryAnswer } from './queryAnswer.ts';
import { queryErrors } from './queryErrors.ts';
import type { QueryMethod, QueryScope } from './queryMethod.ts';
import { SERVICES } from './services/services.ts';

export interface QueryCall {
  /** The newest when missing. */
  readonly height?: number | undefined;
  /** Aborted when the client is gone or its time is over. */
  readonly signal?: AbortSignal | undefined;
}

export interface QueryService {
  /** Full method paths, as `/cosmos.bank.v1beta1.Query/Balance`. */
  readonly paths: readonly string[];
  /** The newest. */
  readonly height: number;
  /** Told once blocks were taken back: a height may come again with another state. Returns the unsubscriber. */
  onRewind(listener: () => void): () => void;
  /** Throws errors for `queryStatus`: QUERY_…, PROTO_BAD_INPUT, and what CheckTx throws. */
  answer(path: string, request: Uint8Array, call?: QueryCall): Promise<QueryAnswer>;
  /** ABCI's Query: a method by its path, `/store/<name>/key` or `/app/version`. What is wrong has a code and a text. */
  answerAbci(query: AbciQuery): Promise<AbciQueryResult>;
}

/** Full paths of all methods that are answered. */
export const QUERY_PATHS: readonly string[] = SERVICES.map(({ path }) => path);

export function openQueryService(options: LedgerQueryOptions, deps: LedgerQueryDeps): QueryService {
  const methods = new Map<string, QueryMethod>(SERVICES.map((method) => [method.path, method]));
  const answer: QueryService['answer'] = async (path, request, { height, signal } = {}) => {
    const method = methods.get(path);
    if (!method) throw queryErrors.unimplemented(path);
    const scope = scopeAt(height ?? deps.chain.height, signal, { options, deps });
    return { height: scope.height, bytes: await method.run(request, scope) };
  };
  return {
    paths: QUERY_PATHS,
    get height() {
      return deps.chain.height;
    },
    onRewind: (listener) => deps.chain.onRewind(() => listener),
    answer,
    answerAbci: async (query) =>
      query.height >= 0 && methods.has(query.path)
        ? answerService(answer(query.path, query.data, { height: query.height || undefined }))
        : answerApplication(query, { options, deps }),
  };
}

function scopeAt(
  height: number,
  signal: AbortSignal | undefined,
  parts: { readonly options: LedgerQueryOptions; readonly deps: LedgerQueryDeps },
): QueryScope {
  const { chain, stateStore } = parts.deps;
  if (height > chain.height) throw queryErrors.futureHeight(height, chain.height);
  const state = chain.stateAt(height);
  return {
    ...parts,
    height,
    state,
    iterate: (store: string, range: KeyRange) => stateStore.iterate(store, height, range),
    checkTime: () => {
      // A prune may pass the height while a query still reads it.
      chain.stateAt(height);
      if (!signal?.aborted) return;
      throw signal.reason === 'timeout' ? queryErrors.tooLong() : queryErrors.cancelled();
    },
  };
}
