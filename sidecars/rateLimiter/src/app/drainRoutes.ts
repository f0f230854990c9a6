import type { HttpHandler, HttpRequest, HttpRoute } from '@chain/platform/servers';
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
 * `/drain`: after POST it is not ready, and every answer asks its client to connect anew. With `?wait=10s` it answers
 * when that time is over, which is what a preStop hook wants; DELETE takes it back, GET tells how it stands. Only
 * programs of the same machine or pod may change it, and no page of a browser there.
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
    { method: 'GET', path: '/drain', handler: report },
    { method: 'POST', path: '/drain', handler: fromHere(begin) },
    { method: 'DELETE', path: '/drain', handler: fromHere(end) },
  ];
}

const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

function fromHere(handler: HttpHandler): HttpHandler {
  return (request) => {
    if (LOOPBACK.test(request.remoteAddress) && request.headers.origin === undefined) return handler(request);
    const error = 'draining is begun and ended from the same machine or pod; ask 127.0.0.1';
    return { status: 403, body: JSON.stringify({ error }) };
  };
}
