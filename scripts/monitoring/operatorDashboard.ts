import type { DashboardTable } from './dashboard.ts';

const OF = '{namespace=~"$namespace",pod=~"$pod"}';
const rate = (metric: string) => `rate(${metric}${OF}[$__rate_interval])`;
const quantile = (q: number, metric: string) =>
  `histogram_quantile(${q}, sum by (le) (${rate(`${metric}_bucket`)}))`;

export const OPERATOR_DASHBOARD: DashboardTable = {
  uid: 'chain-operator',
  title: 'Chain / Operator',
  pods: 'chain_kube_leader',
  rows: {
    Work: [
      ['Leads', 'none', [`chain_kube_leader${OF}`, '{{pod}}']],
      [
        'Looks a second',
        'ops',
        [
          `sum by (controller, outcome) (${rate('chain_kube_reconciles_total')})`,
          '{{controller}} {{outcome}}',
        ],
      ],
      [
        'Time of a look',
        's',
        [quantile(0.5, 'chain_kube_reconcile_duration_seconds'), 'p50'],
        [quantile(0.95, 'chain_kube_reconcile_duration_seconds'), 'p95'],
      ],
      ['Waiting', 'none', [`chain_kube_queue_depth_keys${OF}`, '{{controller}}']],
      ['Wait', 's', [quantile(0.95, 'chain_kube_queue_latency_seconds'), 'p95']],
    ],
    Cluster: [
      [
        'Requests a second',
        'ops',
        [`sum by (verb, code) (${rate('chain_kube_requests_total')})`, '{{verb}} {{code}}'],
      ],
      ['Silence of watches', 's', [`time() - chain_kube_watch_last_activity_seconds${OF}`, '{{kind}}']],
      ['Objects put back', 'none', [`increase(chain_controller_drift_count${OF}[1h])`, '{{kind}}']],
      ['Nodes that did not answer', 'none', [`increase(chain_observe_failures_count${OF}[5m])`, '{{pod}}']],
      ['Phases come into', 'none', [`increase(chain_controller_phases_count${OF}[1h])`, '{{phase}}']],
    ],
    Process: [
      ['Memory', 'bytes', [`process_resident_memory_bytes${OF}`, '{{pod}}']],
      ['CPU', 'none', [rate('process_cpu_seconds_total'), '{{pod}}']],
      [
        'Standing still',
        's',
        [`chain_app_event_loop_stall_seconds${OF}`, '{{pod}}'],
        [`chain_app_workers_stuck_seconds${OF}`, '{{pod}} workers'],
      ],
    ],
  },
};
