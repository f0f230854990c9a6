import type { DashboardTable } from './dashboard.ts';

const OF = '{namespace=~"$namespace",pod=~"$pod"}';
const rate = (metric: string) => `rate(${metric}${OF}[$__rate_interval])`;
const upstream = (q: number) =>
  `histogram_quantile(${q}, sum by (le) (${rate('chain_limiter_upstream_seconds_bucket')}))`;

export const LIMITER_DASHBOARD: DashboardTable = {
  uid: 'chain-rate-limiter',
  title: 'Chain / Rate limiter',
  pods: 'chain_chain_height_blocks',
  rows: {
    Traffic: [
      [
        'Requests a second',
        'ops',
        [`sum by (route, code) (${rate('chain_limiter_requests_total')})`, '{{route}} {{code}}'],
      ],
      [
        'Refused a second',
        'ops',
        [`sum by (reason) (${rate('chain_limiter_rejected_total')})`, '{{reason}}'],
      ],
      ['Time of the node', 's', [upstream(0.5), 'p50'], [upstream(0.95), 'p95'], [upstream(0.99), 'p99']],
    ],
    Clients: [
      ['Clients remembered', 'none', [`chain_limiter_clients${OF}`, '{{pod}}']],
      [
        'Clients forgotten for want of room',
        'ops',
        [`sum by (state) (${rate('chain_limiter_evictions_total')})`, '{{state}}'],
      ],
      [
        'Connections',
        'none',
        [`chain_limiter_connections${OF}`, '{{pod}} all'],
        [`chain_limiter_web_sockets${OF}`, '{{pod}} WebSocket'],
        [`chain_limiter_inflight${OF}`, '{{pod}} under way'],
      ],
    ],
    Readiness: [
      [
        'Ready',
        'none',
        [`chain_limiter_ready${OF}`, '{{pod}} ready'],
        [`chain_limiter_upstream_up${OF}`, '{{pod}} node answers'],
        [`chain_limiter_draining${OF}`, '{{pod}} draining'],
      ],
      ['Age of the newest block', 's', [`chain_limiter_block_age_seconds${OF}`, '{{pod}}']],
      ['Height', 'none', [`chain_limiter_chain_height${OF}`, '{{pod}}']],
    ],
    Process: [
      ['Processor', 'percentunit', [rate('process_cpu_seconds_total'), '{{pod}}']],
      ['Memory', 'bytes', [`process_resident_memory_bytes${OF}`, '{{pod}}']],
      [
        'Configuration loaded anew',
        'ops',
        [`sum by (result) (${rate('chain_limiter_config_reloads_total')})`, '{{result}}'],
      ],
    ],
  },
};
