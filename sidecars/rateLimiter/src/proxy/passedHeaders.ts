/** Headers that concern one connection alone (RFC 9110 §7.6.1), and those that are written anew. */
const NOT_PASSED: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'content-length',
  'x-forwarded-for',
]);
/** As above; an answer keeps the length that the node gave it. */
const NOT_RETURNED: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export interface PassedFrom {
  /** Names and values in turns, as they came. */
  readonly rawHeaders: readonly string[];
  readonly host: string | undefined;
  readonly connection: string | undefined;
  readonly forwardedFor: string;
  /** The node shall not compress its answer. */
  readonly isPlain?: boolean;
}

/** Headers for the node, names and values in turns. */
export function headersToNode({
  rawHeaders,
  host,
  connection,
  forwardedFor,
  isPlain: plain = false,
}: PassedFrom): string[] {
  const named = connection === undefined || isPlain(connection) ? undefined : namesIn(connection);
  const passed = ['host', host ?? '', 'x-forwarded-for', forwardedFor];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    if (NOT_PASSED.has(name) || named?.has(name) || (plain && name === 'accept-encoding')) continue;
    passed.push(name, rawHeaders[i + 1]!);
  }
  return passed;
}

/** Headers for the client, names and values in turns. */
export function headersToClient(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  closes: boolean,
): string[] {
  const passed: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || NOT_RETURNED.has(name)) continue;
    if (typeof value === 'string') passed.push(name, value);
    else for (const one of value) passed.push(name, one);
  }
  if (closes) passed.push('connection', 'close');
  return passed;
}

function isPlain(connection: string): boolean {
  return connection === 'keep-alive' || connection === 'close' || connection === 'Keep-Alive';
}

function namesIn(connection: string): Set<string> {
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
}
