import { PORTS } from '@chain/platform/contract';
import {
  boolean,
  choice,
  duration,
  integer,
  pattern,
  port,
  text,
  textList,
  type ValuesOf,
} from '@chain/platform/settings';

const MIB = 1024 * 1024;

const HTTP_URL = {
  pattern: /^http:\/\/(\[[0-9a-fA-F:.]+\]|[^:\s/[\]?#@]+)(:\d{1,5})?\/?$/,
  wanted: `an address such as "http://127.0.0.1:${PORTS.consensusRpcBehindLimiter}"`,
};

/** Where clients connect to. */
const LISTEN_SETTINGS = {
  address: text('127.0.0.1', 'Address to listen on; 0.0.0.0 for every interface'),
  port: port(PORTS.consensusRpc, 'Port to listen on'),
} as const;

/** The consensus RPC behind. */
const UPSTREAM_SETTINGS = {
  url: pattern(
    `http://127.0.0.1:${PORTS.consensusRpcBehindLimiter}`,
    'The consensus RPC that is protected',
    HTTP_URL,
  ),
  'max-connections': integer(256, 'Connections to it that are kept and used again', { min: 1, max: 65_535 }),
  'connect-timeout': duration(2_000, 'Time to connect', { minMs: 1 }),
  'answer-timeout': duration(60_000, 'Time until an answer begins', { minMs: 1 }),
  'body-timeout': duration(60_000, 'Longest silence in the middle of an answer', { minMs: 1 }),
} as const;

/** The token bucket of each client. */
const LIMIT_SETTINGS = {
  rate: integer(10, 'Calls that a client may make for long', { min: 1, max: 1_000_000, unit: 'a second' }),
  burst: integer(20, 'Calls that a client may make at once, and in one batch', {
    min: 1,
    max: 1_000_000,
    unit: 'calls',
  }),
  'reject-status': integer(429, 'HTTP status of a call beyond the limit', { min: 400, max: 599 }),
  'ipv6-prefix': integer(64, 'Leading bits by which IPv6 clients are told apart', {
    min: 1,
    max: 128,
    unit: 'bits',
  }),
  exempt: textList(
    [],
    'Addresses and networks whose clients make calls and connections without limit, such as nodes that sync from here; what may be asked holds for them too',
  ),
  'max-clients': integer(50_000, 'Clients whose calls are remembered; the longest idle are forgotten first', {
    min: 1,
  }),
} as const;

/** Who a client is. */
const CLIENT_SETTINGS = {
  'trusted-proxies': textList(
    [],
    'Addresses and networks whose `X-Forwarded-For` or PROXY header is believed, such as `10.0.0.0/8`',
  ),
  'proxy-protocol': boolean(
    false,
    'Trusted proxies begin each connection with a PROXY protocol header, version 1 or 2',
  ),
  'max-connections': integer(128, 'Connections of one address, trusted proxies excepted; 0 is no limit'),
  'max-web-sockets': integer(16, 'WebSocket connections of one client; 0 is no limit'),
} as const;

/** Which methods are let through. */
const METHOD_SETTINGS = {
  allow: textList([], 'Methods that are let through, `*` at the end for any rest; empty lets all through'),
  deny: textList(
    ['unsafe_*', 'dial_seeds', 'dial_peers'],
    'Methods that are refused, also when allowed; by default those that change the node',
  ),
} as const;

/** What one connection, request or answer may take. */
const HTTP_SETTINGS = {
  'max-connections': integer(4_000, 'Connections of all clients', { min: 1 }),
  'max-concurrent': integer(1_000, 'Calls under way; above it a call is refused with 503', { min: 1 }),
  'max-body-bytes': integer(1_000_000, 'Size of a request body', { min: 1024, unit: 'bytes' }),
  'max-concurrent-body-bytes': integer(64 * MIB, 'Size of all request bodies held at once', {
    min: 1024,
    unit: 'bytes',
  }),
  'max-header-bytes': integer(16 * 1024, 'Size of all headers of a request', { min: 1024, unit: 'bytes' }),
  'max-url-bytes': integer(8 * 1024, 'Size of path and query', { min: 64, unit: 'bytes' }),
  'header-timeout': duration(10_000, 'Time for the headers of a request to arrive', { minMs: 1 }),
  'request-timeout': duration(30_000, 'Time for a whole request to arrive', { minMs: 1 }),
  'body-idle-timeout': duration(10_000, 'Longest silence while a body arrives', { minMs: 1 }),
  'keep-alive-timeout': duration(75_000, 'Time that a connection without requests is kept', { minMs: 1 }),
  'idle-timeout': duration(120_000, 'Time after which a connection on which nothing moves is cut', {
    minMs: 1,
  }),
} as const;

/** Subscriptions on `/websocket`. */
const WEB_SOCKET_SETTINGS = {
  enabled: boolean(true, 'Let `/websocket` through'),
  'max-connections': integer(1_000, 'WebSocket connections of all clients', { min: 1 }),
  'max-message-bytes': integer(1_000_000, 'Size of a message from a client', { min: 1024, unit: 'bytes' }),
  'max-refused': integer(100, 'Messages refused one after another before the connection is closed', {
    min: 1,
  }),
  'ping-interval': duration(30_000, 'Silence after which a client is pinged', { minMs: 10 }),
  'pong-timeout': duration(30_000, 'Time to answer a ping, and to take in what waits', { minMs: 10 }),
} as const;

/** When `/readyz` says yes. */
const READINESS_SETTINGS = {
  'max-block-age': duration(60_000, 'Age of the newest block above which traffic is declined; 0 = never'),
  'require-synced': boolean(true, 'Decline traffic while the node says that it is catching up'),
  'poll-interval': duration(2_000, 'Time between two looks at the node', { minMs: 10 }),
} as const;

/** How it stops. */
const DRAIN_SETTINGS = {
  wait: duration(5_000, 'Time between saying "not ready" and refusing connections'),
  grace: duration(20_000, 'Time for calls under way to finish after that'),
} as const;

const ADMIN_SETTINGS = {
  address: text('127.0.0.1', 'Address to listen on'),
  port: port(PORTS.limiterAdmin, 'Port to listen on'),
} as const;

const LOG_SETTINGS = {
  level: choice(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info', 'Least severe records'),
  format: choice(
    ['auto', 'json', 'pretty'],
    'auto',
    'One JSON object a line for machines, or text for people; `auto`: text when standard error is a terminal',
  ),
} as const;

/** Every setting of the limiter, in file order. */
export const LIMITER_TABLE = {
  listen: LISTEN_SETTINGS,
  upstream: UPSTREAM_SETTINGS,
  limit: LIMIT_SETTINGS,
  clients: CLIENT_SETTINGS,
  methods: METHOD_SETTINGS,
  http: HTTP_SETTINGS,
  'web-socket': WEB_SOCKET_SETTINGS,
  readiness: READINESS_SETTINGS,
  drain: DRAIN_SETTINGS,
  admin: ADMIN_SETTINGS,
  log: LOG_SETTINGS,
} as const;

/** By the names in the file: `settings.limit.burst`. */
export type LimiterSettings = ValuesOf<typeof LIMITER_TABLE>;

export const SECTION_TITLES: Readonly<Record<keyof typeof LIMITER_TABLE, string>> = {
  listen: 'Where clients connect to. Changes need a restart',
  upstream: 'The consensus RPC behind',
  limit: 'The token bucket of each client',
  clients: 'Who a client is',
  methods: 'Which methods are let through',
  http: 'What connections and requests may take',
  'web-socket': 'Subscriptions on /websocket',
  readiness: 'When /readyz says yes',
  drain: 'How it stops',
  admin: 'Probes, metrics and /drain. Changes need a restart',
  log: 'Logging. Changes need a restart',
};

/** Settings that are taken once, at the start. */
export const FIXED_SETTINGS: readonly string[] = [
  'listen.address',
  'listen.port',
  'admin.address',
  'admin.port',
  'log.level',
  'log.format',
  'http.max-header-bytes',
  'http.keep-alive-timeout',
];
