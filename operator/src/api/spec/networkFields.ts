import { choice, flag, group, list, mapOf, someSpan, span, text, verbatim, whole } from '../fieldKinds.ts';
import { IMAGE, RESOURCES } from './podFields.ts';

const METHOD = { max: 128, min: 1, pattern: '^([A-Za-z0-9_]+\\*?|\\*)$' } as const;
const methods = (about: string) => list(about, text('', METHOD), { max: 128, by: 'set' });
const port = (about: string, value: number) => whole(about, { min: 1, max: 65_535 }).default(value);

/** docs/reference/rate-limiter.md tells each setting at length. */
export const PROXY = group('The rate limiter before the consensus RPC, a sidecar of the node.', {
  enabled: flag('Without it clients reach the consensus RPC itself.').default(true),
  image: IMAGE('Its image; the one that the operator was installed with when left out.'),
  rate: group('The token bucket of each client.', {
    requestsPerSecond: whole('Calls that a client may make for long, a second.', {
      min: 1,
      max: 1_000_000,
    }).default(10),
    burst: whole('Calls that a client may make at once.', { min: 1, max: 1_000_000 }).default(20),
  }).default({}),
  rejectStatus: whole('HTTP status of a call beyond the limit.', { min: 400, max: 599 }).default(429),
  trustedProxies: list(
    'Addresses and networks whose X-Forwarded-For is believed.',
    text('', { max: 64, min: 2, pattern: '^[0-9a-fA-F:.]+(/[0-9]{1,3})?$' }),
    { by: 'set' },
  ).default([]),
  proxyProtocol: flag('Trusted proxies begin each connection with a PROXY header.').default(false),
  maxClients: whole('Clients that are remembered.', { min: 1 }).default(50_000),
  methods: group('Which methods are let through.', {
    allow: methods('Only these, when there are any.').default([]),
    deny: methods('Never these.').default(['unsafe_*', 'dial_seeds', 'dial_peers']),
  }).default({}),
  webSocket: group('Subscriptions on /websocket.', {
    enabled: flag('They are let through.').default(true),
    maxConnections: whole('WebSocket connections of all clients.', { min: 1 }).default(1_000),
  }).default({}),
  drain: group('How it stops.', {
    wait: span('Time between "not ready" and refusing connections.').default('5s'),
    grace: span('Time for calls under way after that.').default('20s'),
  }).default({}),
  toml: text('More settings of the limiter, as TOML.', { max: 65_536 }),
  resources: RESOURCES('What its container may use.'),
}).default({});

const ANNOTATIONS = mapOf('Annotations.', text('', { max: 4096 }));

/** How a Service is reached. */
const SERVICE_FIELDS = {
  type: choice('Type of the Service.', ['ClusterIP', 'NodePort', 'LoadBalancer']).default('ClusterIP'),
  annotations: ANNOTATIONS,
  externalTrafficPolicy: choice('Local keeps the addresses of clients.', ['Cluster', 'Local']),
  sessionAffinity: choice('Filter ids and pending nonces belong to one node.', ['ClientIP', 'None']).default(
    'ClientIP',
  ),
  ports: group('Ports of the Service.', {
    jsonRpc: port('JSON-RPC over HTTP.', 8545),
    jsonRpcWs: port('JSON-RPC over WebSocket.', 8546),
    rpc: port('Consensus RPC.', 26_657),
    grpc: port('gRPC.', 9090),
    rest: port('REST.', 1317),
  }).default({}),
} as const;

export const SHARED_SERVICE = group('The Service of all nodes.', SERVICE_FIELDS).default({});

export const SERVICE = group('The Services of the node.', {
  ...SERVICE_FIELDS,
  p2p: group('The Service for peers; headless as long as it is a ClusterIP.', {
    type: choice('Type of the Service.', ['ClusterIP', 'NodePort', 'LoadBalancer']).default('ClusterIP'),
    annotations: ANNOTATIONS,
  }).default({}),
}).default({});

const sources = (about: string) => list(about, verbatim('A NetworkPolicyPeer.'), { max: 32 });

export const NETWORK_POLICY = group('Who may reach the node.', {
  enabled: flag('A NetworkPolicy is made.').default(true),
  rpcFrom: sources(
    'Who may reach the ports for clients, beside the operator and nodes and Jobs of the chain; everyone, when left out, and nobody else for an empty list.',
  ),
  p2pFrom: sources('Who may reach the port for peers; everyone, when left out, nobody for an empty list.'),
  egress: list(
    'Where else the node may connect to, beside names, nodes, and what is outside the cluster but metadata.',
    verbatim('A NetworkPolicyEgressRule.'),
    { max: 32 },
  ),
}).default({});

export const MONITORING = group('Metrics.', {
  podMonitor: group('A PodMonitor of the Prometheus operator.', {
    enabled: flag('It is made, where the cluster knows the kind.').default(false),
    labels: mapOf('Its labels.', text('', { max: 63 })),
    interval: someSpan('Time between two scrapes.').default('30s'),
  }).default({}),
}).default({});
