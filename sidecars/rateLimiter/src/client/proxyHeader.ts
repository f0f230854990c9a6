import { type IpBytes, parseIp } from '@chain/platform';

/** The PROXY protocol's header (haproxy.org, proxy-protocol.txt): who the client of this connection is. */
export interface ProxyHeader {
  /** `undefined`: the proxy speaks for itself (LOCAL, UNKNOWN). */
  readonly client: IpBytes | undefined;
  /** Bytes of the header. */
  readonly length: number;
}

/** More bytes are needed, or these are no header. */
export type ProxyHeaderState = ProxyHeader | 'more' | 'malformed';

const V1_START = Buffer.from('PROXY ');
/** The longest version 1 header with its line end. */
const MAX_V1 = 107;
const V2_SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const V2_HEAD = 16;
/** Addresses and what may follow them; far more than any proxy sends. */
const MAX_V2 = 2048;
const FAMILY = { inet: 1, inet6: 2 } as const;

/** Reads the header at the start of a connection. */
export function readProxyHeader(bytes: Buffer): ProxyHeaderState {
  if (startsLike(bytes, V2_SIGNATURE)) return bytes.length < V2_HEAD ? 'more' : readV2(bytes);
  if (startsLike(bytes, V1_START)) return readV1(bytes);
  return 'malformed';
}

/** Whether the bytes may become something that begins so. */
function startsLike(bytes: Buffer, start: Buffer): boolean {
  const length = Math.min(bytes.length, start.length);
  return bytes.subarray(0, length).equals(start.subarray(0, length));
}

function readV1(bytes: Buffer): ProxyHeaderState {
  const end = bytes.subarray(0, MAX_V1).indexOf('\r\n');
  if (end === -1) return bytes.length < MAX_V1 ? 'more' : 'malformed';
  const length = end + 2;
  const words = bytes.toString('latin1', 0, end).split(' ');
  if (words[1] === 'UNKNOWN') return { client: undefined, length };
  const [, family, source = '', target = ''] = words;
  const client = parseIp(source);
  const isWhole = words.length === 6 && (family === 'TCP4' || family === 'TCP6') && parseIp(target);
  return client && isWhole ? { client, length } : 'malformed';
}

function readV2(bytes: Buffer): ProxyHeaderState {
  const versionAndCommand = bytes[12]!;
  const size = bytes.readUInt16BE(14);
  const length = V2_HEAD + size;
  const command = versionAndCommand & 0x0f;
  if (versionAndCommand >> 4 !== 2 || command > 1 || length > MAX_V2) return 'malformed';
  if (bytes.length < length) return 'more';
  if (command === 0) return { client: undefined, length };
  const family = bytes[13]! >> 4;
  if (family === FAMILY.inet && size >= 12) return { client: bytes.subarray(16, 20).slice(), length };
  if (family === FAMILY.inet6 && size >= 36) {
    return { client: parseIp(groups(bytes.subarray(16, 32))), length };
  }
  return { client: undefined, length };
}

/** As text, so that an IPv4 address within is found by the one parser. */
function groups(bytes: Buffer): string {
  return Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(2 * i).toString(16)).join(':');
}
