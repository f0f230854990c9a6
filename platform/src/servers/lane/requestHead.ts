import type { IncomingHttpHeaders } from 'node:http';

/** The head of a plain POST to `/`, or of a GET without a body, all of it understood. */
export interface RequestHead {
  readonly method: 'POST' | 'GET';
  /** Path and query as sent. */
  readonly url: string;
  /** Frozen: requests with the same head share them. */
  readonly headers: IncomingHttpHeaders;
  /** Its bytes, the empty line included. */
  readonly size: number;
  /** Bytes of the body behind it. */
  readonly bodySize: number;
}

const START = /^(?:(POST) (\/)|(GET) (\/[!-~]*)) HTTP\/1\.1\r\n/;
const END = Buffer.from('\r\n\r\n');
const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
// Visible characters, blanks and bytes above ASCII (RFC 9110 §5.5).
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const LENGTH = /^\d{1,10}$/;
/** What they ask for is the framework's to do. */
const OTHERS_WORK: ReadonlySet<string> = new Set(['transfer-encoding', 'expect', 'upgrade', 'trailer', 'te']);
const MAX_HEADS = 1024;

/**
 * Reads the heads of requests that hold nothing but the usual, strictly: whatever is unknown, doubled or oddly written
 * is not read here. Clients send the same head again and again, so that it is kept as it was understood.
 */
export class RequestHeads {
  readonly #maxBytes: number;
  readonly #known = new Map<string, RequestHead>();

  constructor(options: { readonly maxBytes: number }) {
    this.#maxBytes = options.maxBytes;
  }

  /** The head that begins at `start`; `undefined` when it is not whole, or not to be read here. */
  read(chunk: Buffer, start: number): RequestHead | undefined {
    const last = chunk.indexOf(END, start);
    if (last < 0 || last + END.length - start > this.#maxBytes) return undefined;
    const text = chunk.toString('latin1', start, last);
    const known = this.#known.get(text);
    if (known) return known;
    const head = readHead(text);
    if (!head) return undefined;
    // Many requests share it.
    Object.freeze(head.headers);
    // Never many: forgetting all at once costs less than an order among them.
    if (this.#known.size >= MAX_HEADS) this.#known.clear();
    this.#known.set(text, head);
    return head;
  }
}

function readHead(text: string): RequestHead | undefined {
  const [start, post, root, , path] = START.exec(text) ?? [];
  const headers = start === undefined ? undefined : readHeaders(text.slice(start.length));
  if (!headers) return undefined;
  const { host, connection, 'content-length': length } = headers;
  if (host === undefined) return undefined;
  if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return undefined;
  const size = text.length + END.length;
  if (post === undefined) {
    return length === undefined ? { method: 'GET', url: path!, headers, size, bodySize: 0 } : undefined;
  }
  if (length === undefined || !LENGTH.test(length)) return undefined;
  return { method: 'POST', url: root!, headers, size, bodySize: Number(length) };
}

function readHeaders(lines: string): IncomingHttpHeaders | undefined {
  const headers: IncomingHttpHeaders = Object.create(null);
  for (const line of lines.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    const value = line.slice(colon + 1);
    if (!NAME.test(name) || !VALUE.test(value)) return undefined;
    if (name in headers || OTHERS_WORK.has(name)) return undefined;
    headers[name] = value.replace(/^[ \t]+|[ \t]+$/g, '');
  }
  return headers;
}
