import { CrashBoundary, type CrashBoundaryDeps, isCodedError } from '@chain/platform';
import type { CometDeps } from './cometDeps.ts';
import type { Caller, CometMethod } from './cometMethod.ts';
import type { CometMetrics } from './cometMetrics.ts';
import { toGoJson } from './json/values.ts';
import { invalidParams } from './rpcFailure.ts';

export type CallId = string | number;

/** A response, before it is written into a body. */
export interface Outcome {
  /** The result as JSON text; absent on failure. */
  readonly result?: string;
  readonly error?: RpcError;
  /** Whether a cache may keep it. */
  readonly cacheable: boolean;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: string;
}

/** Errors of JSON-RPC, in CometBFT's words. */
export const RPC_ERRORS = {
  parse: (data: string): RpcError => ({ code: -32700, message: 'Parse error. Invalid JSON', data }),
  invalidRequest: (data: string): RpcError => ({ code: -32600, message: 'Invalid Request', data }),
  methodNotFound: { code: -32601, message: 'Method not found' } as RpcError,
  invalidParams: (data: string): RpcError => ({ code: -32602, message: 'Invalid params', data }),
  internal: (data: string): RpcError => ({ code: -32603, message: 'Internal error', data }),
};

/** The response object as JSON text; without an id when that could not be read. */
export function responseText(
  id: CallId | undefined,
  { result, error }: Pick<Outcome, 'result' | 'error'>,
): string {
  const begin = id === undefined ? '{"jsonrpc":"2.0"' : `{"jsonrpc":"2.0","id":${toGoJson(id)}`;
  if (error) return `${begin},"error":${toGoJson(error)}}`;
  return `${begin},"result":${result}}`;
}

/** How a call came: what its failures say of its parameters. */
export interface CallForm {
  /** `json` or `http`. */
  readonly params: 'json' | 'http';
  readonly overWebSocket: boolean;
}

/** Runs methods. */
export class CometDispatcher {
  readonly methods: ReadonlyMap<string, CometMethod>;
  readonly #deps: CometDeps;
  readonly #metrics: CometMetrics;
  readonly #boundary: CrashBoundary;

  constructor(
    methods: readonly CometMethod[],
    deps: {
      readonly deps: CometDeps;
      readonly metrics: CometMetrics;
      readonly crashes: CrashBoundaryDeps;
    },
  ) {
    this.methods = new Map(methods.map((method) => [method.name, method]));
    this.#deps = deps.deps;
    this.#metrics = deps.metrics;
    this.#boundary = new CrashBoundary({ name: 'cometrpc' }, deps.crashes);
  }

  /** Reads the parameters with `read` and runs the method. Never rejects. */
  async call(
    method: CometMethod,
    read: () => Readonly<Record<string, unknown>>,
    { id, caller, form }: { readonly id: CallId; readonly caller: Caller; readonly form: CallForm },
  ): Promise<Outcome> {
    const started = performance.now();
    const outcome = await this.#run(method, read, { id, caller, form });
    this.#metrics.answered(method.name, (performance.now() - started) / 1000, outcome.error?.code);
    return outcome;
  }

  async #run(
    method: CometMethod,
    read: () => Readonly<Record<string, unknown>>,
    { id, caller, form }: { readonly id: CallId; readonly caller: Caller; readonly form: CallForm },
  ): Promise<Outcome> {
    try {
      const params = read();
      const cacheable = isCacheable(method, params);
      try {
        const result = await method.handle(params, { deps: this.#deps, caller, id });
        return { result: toGoJson(result), cacheable };
      } catch (error) {
        return { error: RPC_ERRORS.internal(this.#textOf(error, method.name)), cacheable: false };
      }
    } catch (error) {
      if (!isCodedError(error, 'COMETRPC_PARAMS')) throw error;
      const text = `error converting ${form.params} params to arguments: ${error.message}`;
      const wrap = form.overWebSocket ? RPC_ERRORS.internal : RPC_ERRORS.invalidParams;
      return { error: wrap(text), cacheable: false };
    }
  }

  #textOf(error: unknown, method: string): string {
    if (isCodedError(error)) return error.message;
    this.#boundary.report(error, { method });
    return 'internal error';
  }
}

function isCacheable({ cacheable }: CometMethod, params: Readonly<Record<string, unknown>>): boolean {
  return cacheable === true || (cacheable !== undefined && params[cacheable] !== undefined);
}

/** Parameters of a JSON-RPC call: an object, a list of all of them, or none. */
export function paramsFromJson(method: CometMethod, given: unknown): Record<string, unknown> {
  const kinds = Object.entries(method.params);
  if (given === undefined || given === null) return absentParams(method);
  if (typeof given !== 'object') {
    throw invalidParams(
      `unknown type for JSON params: json: cannot unmarshal ${typeof given === 'boolean' ? 'bool' : typeof given} into Go value of type []json.RawMessage. Expected map or array`,
    );
  }
  if (!Array.isArray(given)) {
    const members = given as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      kinds.map(([name, kind]) => [
        name,
        Object.hasOwn(members, name) ? kind.fromJson(members[name]) : kind.absent,
      ]),
    );
  }
  if (given.length !== kinds.length) {
    const names = kinds.map(([name]) => name).join(' ');
    throw invalidParams(
      `expected ${kinds.length} parameters ([${names}]), got ${given.length} ([${given.map(goBytes).join(' ')}])`,
    );
  }
  return Object.fromEntries(kinds.map(([name, kind], i) => [name, kind.fromJson(given[i])]));
}

/** Go prints a raw message as the numbers of its bytes. */
function goBytes(value: unknown): string {
  return `[${[...Buffer.from(JSON.stringify(value), 'utf8')].join(' ')}]`;
}

/** Parameters of a URI call. */
export function paramsFromUri(method: CometMethod, query: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(method.params).map(([name, kind]) => {
      const given = query.get(name) ?? '';
      return [name, given === '' ? kind.absent : kind.fromUri(given)];
    }),
  );
}

function absentParams(method: CometMethod): Record<string, unknown> {
  return Object.fromEntries(Object.entries(method.params).map(([name, kind]) => [name, kind.absent]));
}
