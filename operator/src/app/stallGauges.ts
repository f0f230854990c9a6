import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Lifecycle } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';

/** Far shorter than what matters here: seconds, of which a lease has ten. */
const RESOLUTION_MS = 20;

/** How long the process, and its workers, stood still. `stuckMs`: of the controller that stands longest. */
export function openStallGauges(metrics: MetricsRegistry, stuckMs: () => number, lifecycle: Lifecycle): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  lifecycle.defer(async () => void delay.disable());
  metrics.gauge({
    name: 'chain_app_event_loop_stall_seconds',
    help: 'Longest time since the last scrape for which the process took up nothing, not even its lease.',
    read: () => {
      // Without a sample the largest one is no number that means anything.
      const longest = delay.count === 0 ? 0 : delay.max / 1e9;
      delay.reset();
      return longest;
    },
  });
  metrics.gauge({
    name: 'chain_app_workers_stuck_seconds',
    help: 'For how long keys have waited without a worker that took up or ended anything; /livez fails at 600.',
    read: () => stuckMs() / 1000,
  });
}
