import { parseJson } from '@chain/platform';
import type { CallId } from '../dispatch.ts';
import { goKind, goSyntaxError } from '../params/goJson.ts';

/** One JSON-RPC request. */
export interface RpcRequest {
  /** None: a notification, which is not answered. */
  readonly id: CallId | undefined;
  readonly method: string;
  readonly params: unknown;
}

/** A body that is no request; the text becomes the error's data. */
export class UnreadableRequest extends Error {}

const GO_REQUEST =
  'struct { JSONRPC string "json:\\"jsonrpc\\""; ID interface {} "json:\\"id,omitempty\\""; Method string "json:\\"method\\""; Params json.RawMessage "json:\\"params\\"" }';

/** A request, or a list of them. Throws UnreadableRequest. */
export function readBody(body: Buffer): RpcRequest | RpcRequest[] {
  const value = parse(body.toString('utf8'));
  return Array.isArray(value) ? value.map(readRequest) : readRequest(value);
}

/** A single request. Throws UnreadableRequest. */
export function readSingle(body: Buffer): RpcRequest {
  return readRequest(parse(body.toString('utf8')));
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw unreadable(goSyntaxError(text));
  }
}

function readRequest(value: unknown): RpcRequest {
  // `null` leaves Go's structure as it was: empty.
  if (value === null) return { id: undefined, method: '', params: undefined };
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw unreadable(`json: cannot unmarshal ${goKind(value)} into Go value of type ${GO_REQUEST}`);
  }
  const { id, method = '', params } = value as Readonly<Record<string, unknown>>;
  if (typeof method !== 'string') {
    throw unreadable(`json: cannot unmarshal ${goKind(method)} into Go struct field .method of type string`);
  }
  return { id: readId(id), method, params };
}

function readId(id: unknown): CallId | undefined {
  if (id === undefined || id === null) return undefined;
  if (typeof id === 'string') return id;
  if (typeof id === 'number') return Math.trunc(id);
  const [shown, type] =
    typeof id === 'boolean'
      ? [String(id), 'bool']
      : Array.isArray(id)
        ? [JSON.stringify(id), '[]interface {}']
        : ['map[]', 'map[string]interface {}'];
  throw unreadable(`json-rpc ID (${shown}) is of unknown type (${type})`);
}

function unreadable(text: string): UnreadableRequest {
  return new UnreadableRequest(`error unmarshaling request: ${text}`);
}
