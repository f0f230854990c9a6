/** What the first line of a request asks for. */
export type Target =
  /** JSON-RPC by POST to `/`. */
  | { readonly kind: 'calls' }
  /** A page or a preflight at `/`: no call. */
  | { readonly kind: 'root' }
  /** `/<method>?…`. */
  | { readonly kind: 'uri'; readonly method: string }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string };

const CALLS: Target = { kind: 'calls' };
const ROOT: Target = { kind: 'root' };
const NOT_FOUND: Target = { kind: 'refused', status: 404, reason: 'no such path' };
const BAD_METHOD: Target = { kind: 'refused', status: 405, reason: 'only GET, HEAD, POST and OPTIONS' };
const TOO_LONG: Target = { kind: 'refused', status: 414, reason: 'the URL is too long' };
const HTTP_METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);
/** Only what every reader reads alike: no escapes, no double slashes, no dots, no whole URLs. */
const METHOD_PATH = /^\/([A-Za-z0-9_]+)$/;

/** Judges an HTTP method and a URL; the query is the node's. */
export function readTarget(httpMethod: string | undefined, url: string, maxUrlBytes: number): Target {
  if (!HTTP_METHODS.has(httpMethod)) return BAD_METHOD;
  if (url === '/') return httpMethod === 'POST' ? CALLS : ROOT;
  if (url.length > maxUrlBytes) return TOO_LONG;
  const question = url.indexOf('?');
  const path = question === -1 ? url : url.slice(0, question);
  if (path === '/') return httpMethod === 'POST' ? CALLS : ROOT;
  const method = METHOD_PATH.exec(path)?.[1];
  return method === undefined || method === 'websocket' ? NOT_FOUND : { kind: 'uri', method };
}
