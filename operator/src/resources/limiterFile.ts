import { PORTS } from '@chain/platform/contract';
import { formatToml, type TomlTable } from '@chain/platform/settings';
import type { ChainNode } from '../api/index.ts';
import { mergeTables, refuseReserved, tableOf } from './tomlTables.ts';

const FIELD = 'spec.proxy.toml';
const RESERVED = {
  'listen.*': 'leave it out: the probes and Services of the pod go there',
  'admin.*': 'leave it out: the probes and Services of the pod go there',
  'upstream.url': 'leave it out: it is the node in the same pod',
};

/** `limiter.toml`; the limiter takes a change over without a restart. Throws RESOURCES_RESERVED_KEY, RESOURCES_TOML. */
export function renderLimiter({ spec: { proxy, probes } }: ChainNode): string {
  const { maxBlockAge } = probes;
  const more = tableOf(FIELD, proxy.toml);
  refuseReserved(FIELD, more, RESERVED);
  const fields: TomlTable = {
    readiness: { 'max-block-age': maxBlockAge },
    listen: { address: '0.0.0.0' },
    admin: { address: '0.0.0.0' },
    upstream: { url: `http://127.0.0.1:${PORTS.consensusRpcBehindLimiter}` },
    limit: {
      rate: proxy.rate.requestsPerSecond,
      burst: proxy.rate.burst,
      'reject-status': proxy.rejectStatus,
      'max-clients': proxy.maxClients,
    },
    clients: { 'trusted-proxies': [...proxy.trustedProxies], 'proxy-protocol': proxy.proxyProtocol },
    methods: { allow: [...proxy.methods.allow], deny: [...proxy.methods.deny] },
    'web-socket': { enabled: proxy.webSocket.enabled, 'max-connections': proxy.webSocket.maxConnections },
    drain: { wait: proxy.drain.wait, grace: proxy.drain.grace },
  };
  return formatToml(mergeTables(fields, more));
}
