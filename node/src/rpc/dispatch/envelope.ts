import { type JsonReviver, parseJson } from '@chain/platform';
import type { Param } from '../codec/codec.ts';
import { RawJson } from '../rawJson.ts';
import { InvalidParam, RPC_CODE, RpcError } from '../rpcError.ts';
import type { RpcMethod } from '../rpcMethod.ts';

/** A well-formed request. `id` is JSON text, ready to be sent back; a notification has none. */
export interface Request {
  readonly kind: 'request';
  readonly id: string | undefined;
  readonly method: string;
  readonly params: unknown;
}

/** An element of a body that is no request; its id as JSON text as far as it has one. */
interface Malformed {
  readonly kind: 'malformed';
  readonly id: string;
  /** It is no object, or has an id of a kind that none may have: a batch tells it in other words (spec R-4). */
  readonly isForeign: boolean;
}

export type Element = Request | Malformed;

/** Reads a body: one element, or the elements of a batch (spec R-2). Throws SyntaxError. */
export function parseBody(text: string): Element | readonly Element[] {
  const parsed = parseJson(text);
  if (!Array.isArray(parsed)) {
    return readElement(parsed, hasInexactId(parsed) ? parseExactly(text) : parsed);
  }
  const exact = parsed.some(hasInexactId) ? (parseExactly(text) as unknown[]) : parsed;
  return parsed.map((element, i) => readElement(element, exact[i]));
}

/** Decodes positional arguments. Throws RpcError −32602 in geth's words, naming the argument's index. */
export function decodeArguments({ params }: RpcMethod, given: unknown): unknown[] {
  const args = given ?? [];
  if (!Array.isArray(args)) throw invalidParams('non-array args');
  if (args.length > params.length) throw invalidParams(`too many arguments, want at most ${params.length}`);
  return params.map((param, index) => decodeArgument(param, args[index], index));
}

function decodeArgument(param: Param<unknown>, value: unknown, index: number): unknown {
  if (value === undefined || value === null) {
    if (param.required) throw invalidParams(`missing value for required argument ${index}`);
    return param.absent();
  }
  try {
    return param.decode(value);
  } catch (error) {
    if (error instanceof InvalidParam) throw invalidParams(`invalid argument ${index}: ${error.message}`);
    throw error;
  }
}

/** `exact` is the same element with an id of digits that a JavaScript number cannot hold kept as text. */
function readElement(value: unknown, exact: unknown): Element {
  if (!isObject(value)) return { kind: 'malformed', id: 'null', isForeign: true };
  const { jsonrpc, method, params } = value;
  const { id } = exact as Record<string, unknown>;
  const text = id === undefined ? undefined : idText(id);
  const isValid = jsonrpc === '2.0' && typeof method === 'string' && method !== '';
  const isForeign = id !== undefined && text === undefined;
  if (!isValid || isForeign) return { kind: 'malformed', id: text ?? 'null', isForeign };
  return { kind: 'request', id: text, method, params };
}

/** Strings, numbers, booleans and null are ids; an object or an array is none. */
function idText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (value instanceof RawJson) return value.text;
  return value === null || typeof value !== 'object' ? JSON.stringify(value) : undefined;
}

function hasInexactId(element: unknown): boolean {
  return isObject(element) && typeof element.id === 'number' && !Number.isSafeInteger(element.id);
}

const keepId: JsonReviver = (key, value, context) =>
  key === 'id' && typeof value === 'number' ? new RawJson(context?.source ?? String(value)) : value;

/** A second parse that keeps the digits of ids; only asked for where they would be lost. */
function parseExactly(text: string): unknown {
  return parseJson(text, { reviver: keepId });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalidParams(message: string): RpcError {
  return new RpcError(RPC_CODE.invalidParams, message);
}
