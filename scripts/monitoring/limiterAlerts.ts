import { type AlertRow, grew } from './alertRow.ts';

export const LIMITER_ALERTS: readonly AlertRow[] = [
  [
    'ChainLimiterNodeDown',
    'chain_limiter_upstream_up == 0',
    '2m',
    'critical',
    'The node behind the limiter of {{ $labels.pod }} does not answer.',
  ],
  [
    'ChainLimiterRefusesMuch',
    'sum by (namespace, pod) (rate(chain_limiter_rejected_total{reason="limited"}[10m])) / sum by (namespace, pod) (rate(chain_limiter_requests_total[10m])) > 0.5',
    '15m',
    'warning',
    '{{ $value | humanizePercentage }} of the requests to {{ $labels.pod }} are beyond the limit: an attack, a proxy that is not in trusted-proxies, or a limit that is too low.',
  ],
  [
    'ChainLimiterFailures',
    'sum by (namespace, pod) (rate(chain_limiter_requests_total{code=~"502|503|504"}[10m])) / sum by (namespace, pod) (rate(chain_limiter_requests_total[10m])) > 0.05',
    '10m',
    'warning',
    '{{ $value | humanizePercentage }} of the requests to {{ $labels.pod }} fail at the node.',
  ],
  [
    'ChainLimiterTableFull',
    grew('chain_limiter_evictions_total{state="active"}', '10m'),
    '0m',
    'warning',
    'The limiter of {{ $labels.pod }} forgets clients that are active, which gives them a new burst: raise limit.max-clients.',
  ],
  [
    'ChainLimiterConfigRefused',
    grew('chain_limiter_config_reloads_total{result="failed"}', '15m'),
    '0m',
    'warning',
    'The limiter of {{ $labels.pod }} did not take over its changed file; its log says which line is wrong.',
  ],
];
