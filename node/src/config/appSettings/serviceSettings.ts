import { PORTS } from '@chain/platform/contract';
import { boolean, duration, integer, pattern, text } from '@chain/platform/settings';
import { ACCESS_SETTINGS } from './accessSettings.ts';

const MIB = 1024 * 1024;
const notServed = { defaultByMode: { validator: false, seed: false } };

const LISTEN_ADDRESS = {
  pattern:
    /^(tcp:\/\/)?(\[[0-9a-fA-F:.]+\]|[^:\s/[\]]+):(\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/,
  wanted: 'host and port, such as "127.0.0.1:9090"; port 0 lets the system choose',
};

/** gRPC (spec N-1). */
export const GRPC_SETTINGS = {
  enable: boolean(true, 'Serve the query and transaction services over gRPC', notServed),
  address: pattern(
    `127.0.0.1:${PORTS.grpc}`,
    'Address and port to listen on; 0.0.0.0 for every interface',
    LISTEN_ADDRESS,
  ),
  'max-recv-msg-size': integer(10 * MIB, 'Size of one request', { min: 1024, unit: 'bytes' }),
  'max-send-msg-size': integer(64 * MIB, 'Size of one answer', { min: 1024, unit: 'bytes' }),
  'max-open-connections': integer(1000, 'Connections', { min: 1 }),
  'max-concurrent-streams': integer(100, 'Calls of one connection at once', { min: 1 }),
  'max-concurrent-calls': integer(1000, 'Calls of all connections at once', { min: 1 }),
  'call-timeout': duration(30_000, 'Time that one call may take', { minMs: 1 }),
  'idle-timeout': duration(600_000, 'Time that a connection without calls is kept', { minMs: 1000 }),
  ...ACCESS_SETTINGS,
} as const;

/** REST (spec N-1). */
export const API_SETTINGS = {
  enable: boolean(true, 'Serve the same services over REST', notServed),
  swagger: boolean(true, 'Serve the OpenAPI document and a page for it under `/swagger/`'),
  address: pattern(
    `tcp://127.0.0.1:${PORTS.rest}`,
    'Address and port to listen on; 0.0.0.0 for every interface',
    LISTEN_ADDRESS,
  ),
  'cors-origins': text('', 'Comma-separated origins whose pages may read replies; `*` = any, empty = none'),
  'max-open-connections': integer(1000, 'Connections', { min: 1 }),
  'rpc-read-timeout': integer(10, 'Time for a whole request to arrive', { min: 1, unit: 'seconds' }),
  'rpc-write-timeout': integer(30, 'Time that one query may take', { min: 1, unit: 'seconds' }),
  'rpc-max-body-bytes': integer(MIB * 2, 'Size of one request body', { min: 1024, unit: 'bytes' }),
  'max-concurrent-calls': integer(1000, 'Queries at once', { min: 1 }),
  ...ACCESS_SETTINGS,
} as const;
