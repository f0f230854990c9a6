import {
  boolean,
  choice,
  duration,
  integer,
  port,
  text,
  textList,
  type ValuesOf,
} from '@chain/platform/settings';

/** Which cluster, and what of it. */
const KUBERNETES_SETTINGS = {
  kubeconfig: text(
    '',
    'File that says where the API server is; empty = KUBECONFIG, else the ServiceAccount of the pod',
  ),
  namespaces: textList([], 'Namespaces that are looked after; empty = all of them'),
  namespace: text(
    '',
    'Namespace that the operator itself runs in; empty = that of its pod, or of the kubeconfig',
  ),
} as const;

/** Several operators: one works, the others stand by. */
const LEADER_SETTINGS = {
  enabled: boolean(true, 'Work only while holding the Lease; off only where there is one operator alone'),
  lease: text('chain-operator', 'Name of the Lease, in the namespace of the operator'),
  duration: duration(15_000, 'Silence after which another takes over', { minMs: 1_000 }),
  'renew-deadline': duration(10_000, 'Time without a renewal after which the operator ends', { minMs: 500 }),
  'retry-period': duration(2_000, 'Time between two tries', { minMs: 100 }),
} as const;

/** How it works. */
const CONTROLLER_SETTINGS = {
  concurrency: integer(4, 'Objects of a kind that are worked on at once', { min: 1, max: 64 }),
  'resync-interval': duration(600_000, 'Every object is looked at again after so long', { minMs: 10_000 }),
  'poll-interval': duration(5_000, 'Time between two looks at a node', { minMs: 500 }),
  'poll-timeout': duration(3_000, 'Time for a node to answer', { minMs: 100 }),
  'poll-concurrency': integer(32, 'Nodes that are asked at once', { min: 1, max: 1024 }),
} as const;

/** What objects get that say nothing of it. */
const DEFAULT_SETTINGS = {
  'limiter-image': text('localhost/chain-rate-limiter:6.5.0', 'Image of the rate limiter'),
} as const;

/** Health and metrics. */
const ADMIN_SETTINGS = {
  address: text('127.0.0.1', 'Address to listen on'),
  port: port(8080, 'Port of `/metrics`, `/livez`, `/readyz` and `/startupz`'),
} as const;

/** What is logged. */
const LOG_SETTINGS = {
  level: choice(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info', 'Least severe records'),
  format: choice(
    ['auto', 'json', 'pretty'],
    'auto',
    'One JSON object a line for machines, or text for people; `auto`: text when standard error is a terminal',
  ),
} as const;

export const OPERATOR_TABLE = {
  kubernetes: KUBERNETES_SETTINGS,
  leader: LEADER_SETTINGS,
  controller: CONTROLLER_SETTINGS,
  defaults: DEFAULT_SETTINGS,
  admin: ADMIN_SETTINGS,
  log: LOG_SETTINGS,
} as const;

export type OperatorSettings = ValuesOf<typeof OPERATOR_TABLE>;
