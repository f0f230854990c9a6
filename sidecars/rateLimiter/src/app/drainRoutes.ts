import type { HttpRequest, HttpRoute } from '@chain/platform/servers';
import { parseDuration } from '@chain/platform/settings';

export interface DrainParts {
  readonly drain: () => void;
  readonly resume: () => void;
  readonly isDraining: () => boolean;
  readonly underWay: () => number;
}

const POLL_MS = 50;
const MAX_WAIT_MS = 600_000;

/**
 * `/drain`: not ready from now on, and every answer asks its client to connect anew. With `?wait=10s` it answers
 * when that time is over, which is what a preStop hook wants; GET because such hooks know nothing else. DELETE takes
 * it back.
 */
export function drainRoutes({ drain, resume, isDraining, underWay }: DrainParts): HttpRoute[] {
  const report = () => ({ body: JSON.stringify({ draining: isDraining(), underWay: underWay() }) });
  const begin = async (request: HttpRequest) => {
    const text = new URL(request.url, 'http://limiter').searchParams.get('wait');
    const waitMs = text === null ? 0 : parseDuration(text);
    if (waitMs === undefined || waitMs > MAX_WAIT_MS) {
      const reason = `wait = "${text}" is no time up to 10m; write one such as "10s"`;
      return { status: 400, body: JSON.stringify({ error: reason }) };
    }
    drain();
    let isGone = false;
    request.onClose(() => {
      isGone = true;
    });
    const until = performance.now() + waitMs;
    while (!isGone && performance.now() < until) await new Promise((poll) => setTimeout(poll, POLL_MS));
    return report();
  };
  const end = () => {
    resume();
    return report();
  };
  return [
    { method: 'GET', path: '/drain', handler: begin },
    { method: 'POST', path: '/drain', handler: begin },
    { method: 'DELETE', path: '/drain', handler: end },
  ];
}
