import { PORTS } from '@chain/platform/contract';
import { boolean, choice, duration, integer, port, text, textList } from '@chain/platform/settings';

import { NAMESPACES } from '../../rpc/index.ts';
import { EVM_ACCESS_SETTINGS } from './accessSettings.ts';

const MIB = 1024 * 1024;
const notServed = { defaultByMode: { validator: false, seed: false } };

/** Names that `init` lets through the legacy gate (spec G-2). */
const DEFAULT_LEGACY_METHODS = ['chain_getChainAddress', 'chain_getEVMAddress', 'chain_getLedgerTx'] as const;

const ENGINE_SETTINGS = {
  engine: choice(
    ['wasm', 'reference'],
    'wasm',
    'What runs EVM code: our engine in WebAssembly, or `@ethereumjs/evm`, slower, with equal results',
  ),
} as const;

const LISTENER_SETTINGS = {
  http_enabled: boolean(true, 'Serve JSON-RPC over HTTP', notServed),
  http_port: port(PORTS.jsonRpcHttp, 'Port of JSON-RPC over HTTP'),
  address: text('127.0.0.1', 'Address that both listen on; 0.0.0.0 for every interface'),
  vhosts: textList(
    ['localhost'],
    'Host names by which requests may ask for JSON-RPC, the consensus RPC and REST; addresses always may; `*` = any',
  ),
  apis: textList(NAMESPACES, 'Namespaces that HTTP serves; methods of others do not exist there', {
    rule: 'unknown names are refused',
  }),
  cors_origins: text(
    '',
    'Comma-separated origins whose pages may read HTTP replies; `*` = any, empty = none',
  ),
  read_timeout: duration(30_000, 'Time for a whole request to arrive', { minMs: 1000 }),
  read_header_timeout: duration(30_000, 'Time for its headers to arrive', { minMs: 1000 }),
  write_timeout: duration(
    30_000,
    'Time a call may take before it is answered with −32002, and for which a client may read nothing of its answer',
    { minMs: 1000 },
  ),
  idle_timeout: duration(120_000, 'Time an idle connection is kept', { minMs: 1000 }),
  body_read_idle_timeout: duration(10_000, 'Longest silence while a body arrives', { minMs: 10 }),
  ...EVM_ACCESS_SETTINGS,
} as const;

const ADMISSION_SETTINGS = {
  max_open_connections: integer(2000, 'Connections of each listener', { min: 1 }),
  max_request_body_bytes: integer(5 * MIB, 'Size of one request body', { min: 1, unit: 'bytes' }),
  max_concurrent_request_bytes: integer(128 * MIB, 'Size of all request bodies held at once', {
    min: 1,
    unit: 'bytes',
  }),
  batch_request_limit: integer(1000, 'Calls in one batch', { min: 1 }),
  batch_response_max_size: integer(25_000_000, 'Size of the answer to one batch', { min: 1, unit: 'bytes' }),
  rate_limiting_enabled: boolean(
    false,
    'Limit the calls of each client address; more are refused with 429 or −32005',
  ),
  ip_rate_limit_rps: integer(200, 'Calls a second of one client address', { min: 1 }),
  ip_rate_limit_burst: integer(1000, 'Calls that one client address may make at once', { min: 1 }),
  allow_unprotected_txs: boolean(
    false,
    'Take transactions that are signed for no chain in particular (before EIP-155): whoever saw one elsewhere may send it here',
  ),
  deny_list: textList([], 'Methods that are answered as if they did not exist'),
  enabled_legacy_chain_apis: textList(
    DEFAULT_LEGACY_METHODS,
    'Deprecated `chain_*` and `chain2_*` methods that are available; `[]` blocks all',
    {
      rule: 'unknown names give a warning',
    },
  ),
} as const;

const QUERY_SETTINGS = {
  max_log_no_block: integer(10_000, 'Logs returned for an open-ended block range', { min: 1 }),
  max_log_bytes: integer(64 * MIB, 'Size of the logs in one answer', { min: 1024, unit: 'bytes' }),
  max_blocks_for_log: integer(2000, 'Span of a closed block range of logs', { min: 1, unit: 'blocks' }),
  filter_timeout: duration(300_000, 'Time after which a filter nobody polls is removed', { minMs: 1000 }),
  log_query_limit: integer(
    1000,
    'Addresses of one log query, filter or subscription, and topics of one position',
    {
      min: 1,
    },
  ),
  max_filters_per_client: integer(1000, 'Filters that one client address may have installed', { min: 1 }),
  max_filters: integer(10_000, 'Filters that all clients may have installed', { min: 1 }),
  max_client_bytes: integer(4 * MIB, 'Memory for filters and subscriptions of one client address', {
    min: 1024,
    unit: 'bytes',
  }),
  max_clients_bytes: integer(64 * MIB, 'Memory for filters and subscriptions of all clients', {
    min: 1024,
    unit: 'bytes',
  }),
  max_tx_pool_txs: integer(1000, 'Transactions that `txpool_content` lists', { min: 1 }),
  slow: boolean(false, '`eth_sendRawTransaction` answers once the transaction is in a block'),
} as const;

const SIMULATION_SETTINGS = {
  enable_simulation: boolean(true, 'Serve `eth_call`, `eth_estimateGas` and the other simulations'),
  simulation_gas_limit: integer(10_000_000, 'Gas that one simulation may use', { min: 21_000, unit: 'gas' }),
  simulation_evm_timeout: duration(60_000, 'Time that one simulation may take', { minMs: 1 }),
  max_state_override_accounts: integer(100, 'Accounts that one state override may change', { min: 1 }),
  max_state_override_slots: integer(1000, 'Storage slots that one state override may change', { min: 1 }),
  max_estimate_gas_calls: integer(100, 'Calls that one `eth_estimateGasAfterCalls` may name', { min: 1 }),
} as const;

const WORKER_SETTINGS = {
  worker_pool_size: integer(
    0,
    'Worker threads for calls and traces; 0 = as many as processors, and two at least',
    {
      max: 64,
    },
  ),
  worker_queue_size: integer(1000, 'Calls that may wait for a worker; more are refused with −32005', {
    min: 1,
  }),
  max_concurrent_simulation_calls: integer(0, 'Simulations at once; 0 = as many as worker threads'),
  max_concurrent_trace_calls: integer(10, 'Traces at once; 0 = no limit'),
} as const;

const TRACE_SETTINGS = {
  max_trace_lookback_blocks: integer(
    10_000,
    'How far below the newest block a trace may reach; -1 = no limit',
    { min: -1, unit: 'blocks' },
  ),
  trace_timeout: duration(30_000, 'Time that one trace call may take', { minMs: 1 }),
  max_trace_struct_log_bytes: integer(32 * MIB, 'Size of the traces in one answer', {
    min: 1,
    unit: 'bytes',
  }),
  trace_allowed_tracers: textList(
    ['callTracer', 'prestateTracer', 'flatCallTracer', '4byteTracer', 'noopTracer', 'muxTracer'],
    'Built-in tracers that traces may name',
  ),
  trace_hex: choice(
    ['prefixed', 'bare'],
    'prefixed',
    'Words of memory and storage in struct logs: with `0x`, as newest geth has them, or without',
  ),
  trace_allow_js_tracers: boolean(false, 'Let traces bring JavaScript; it runs in a sandbox'),
} as const;

const WEB_SOCKET_SETTINGS = {
  ws_enabled: boolean(true, 'Serve JSON-RPC over WebSocket', notServed),
  ws_port: port(PORTS.jsonRpcWebSocket, 'Port of JSON-RPC over WebSocket'),
  ws_apis: textList(NAMESPACES, 'Namespaces that WebSocket serves; methods of others do not exist there', {
    rule: 'unknown names are refused',
  }),
  ws_origins: text('', 'Comma-separated origins whose pages may open a WebSocket; `*` = any, empty = none'),
  ws_ping_interval: duration(30_000, 'Silence after which a WebSocket peer is pinged', { minMs: 1000 }),
  ws_pong_timeout: duration(30_000, 'Time in which it must answer', { minMs: 1000 }),
  ws_idle_timeout: duration(
    3_600_000,
    'Time after which a connection without calls and subscriptions is closed; 0 = never',
  ),
  ws_max_concurrent_requests: integer(32, 'Messages of one connection that are worked on at once', {
    min: 1,
  }),
  ws_max_buffered_bytes: integer(
    4 * MIB,
    'Notifications that a slow consumer may leave unread before it is dropped, and answers before it is not read from',
    { min: 1024, unit: 'bytes' },
  ),
  ws_max_subscriptions: integer(1000, 'Subscriptions of one connection', { min: 1 }),
  max_subscriptions_per_client: integer(
    1000,
    'Subscriptions of one client address, over all its connections',
    {
      min: 1,
    },
  ),
  max_subscriptions: integer(20_000, 'Subscriptions of all clients', { min: 1 }),
  max_subscriptions_new_head: integer(10_000, 'Subscriptions to new heads', { min: 1 }),
  max_subscriptions_logs: integer(1000, 'Subscriptions to logs', { min: 1 }),
  max_subscriptions_pending_transactions: integer(1000, 'Subscriptions to pending transactions', { min: 1 }),
} as const;

/** JSON-RPC (spec N-4; underscores as in the reference). */
export const EVM_SETTINGS = {
  ...ENGINE_SETTINGS,
  ...LISTENER_SETTINGS,
  ...WEB_SOCKET_SETTINGS,
  ...ADMISSION_SETTINGS,
  ...QUERY_SETTINGS,
  ...SIMULATION_SETTINGS,
  ...WORKER_SETTINGS,
  ...TRACE_SETTINGS,
} as const;
