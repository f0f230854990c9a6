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

/** Every setting of the operator, in file order. */
export const OPERATOR_TABLE = {
  kubernetes: {
    kubeconfig: text(
      '',
      "Path of a kubeconfig; empty: KUBECONFIG, ~/.kube/config, else the pod's ServiceAccount",
    ),
    namespaces: textList([], 'Namespaces that are looked after; none is all of them'),
    selector: text('', 'Label selector of the resources that are looked after; empty is all of them'),
    namespace: text(
      '',
      'Namespace that the operator runs in; empty: POD_NAMESPACE, else that of the kubeconfig',
    ),
  },
  'leader-election': {
    enabled: boolean(true, 'One of several processes works; without it there must be only one'),
    name: pattern('chain-operator', 'Name of the Lease, in the namespace of the operator', {
      pattern: /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/,
      wanted: 'a name such as "chain-operator"',
    }),
    'lease-duration': duration(15_000, 'Time after which a silent leader is replaced', { minMs: 1_000 }),
    'renew-deadline': duration(10_000, 'Time after which a leader that cannot renew ends', { minMs: 500 }),
    'retry-period': duration(2_000, 'Time between two attempts', { minMs: 100 }),
  },
  controller: {
    concurrency: integer(4, 'Resources of one kind that are worked on at once', { min: 1, max: 64 }),
    'resync-interval': duration(600_000, 'Every resource is looked at again after this time', {
      minMs: 1_000,
    }),
    'poll-interval': duration(5_000, 'Time between two looks at a node', { minMs: 100 }),
    'poll-timeout': duration(3_000, 'Time that a node has to answer', { minMs: 10 }),
    'poll-concurrency': integer(32, 'Nodes that are asked at once', { min: 1, max: 1024 }),
    'height-interval': duration(
      40_000,
      'Time between two status writes, over all resources, of heights alone',
      {
        minMs: 100,
      },
    ),
    'stop-grace': duration(20_000, 'Time for what is under way when the operator stops'),
  },
  defaults: {
    'limiter-image': text(
      'localhost/chain-rate-limiter:6.5.0',
      'Image of the rate limiter where a spec has none',
    ),
  },
  admin: {
    address: text('127.0.0.1', 'Address to listen on for probes and metrics; 0.0.0.0 for every interface'),
    port: port(8080, 'Port to listen on'),
  },
  'status-page': {
    enabled: boolean(true, 'Serve the status page'),
    address: text('127.0.0.1', 'Address to listen on'),
    port: port(8081, 'Port to listen on'),
    access: choice(
      ['auto', 'tokens', 'anyone'],
      'auto',
      'Who sees it: `tokens`: who brings a token of the cluster and may list ChainNodes; `auto`: the same, but anyone on a loopback address',
    ),
  },
  log: {
    level: choice(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info', 'Least severe records'),
    format: choice(
      ['auto', 'json', 'pretty'],
      'auto',
      'One JSON object a line for machines, or text for people; `auto`: text when standard error is a terminal',
    ),
  },
} as const;

/** By the names in the file: `settings.controller.concurrency`. */
export type OperatorSettings = ValuesOf<typeof OPERATOR_TABLE>;

export const SECTION_TITLES: Readonly<Record<keyof typeof OPERATOR_TABLE, string>> = {
  kubernetes: 'Which cluster, and what of it',
  'leader-election': 'Which of several processes works',
  controller: 'How it works',
  defaults: 'What specs leave out',
  admin: 'Probes and metrics',
  'status-page': 'The status page',
  log: 'Logging',
};
