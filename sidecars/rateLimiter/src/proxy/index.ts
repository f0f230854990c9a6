/**
 * The proxy: HTTP and WebSocket connections of clients, judged and passed on.
 * Owns: ws, the listener, what refusals look like. Does not own: who a client is, how much it may do.
 * Invariants: a request is read whole and written anew before the node sees it; what is read from one side waits
 * until the other has taken it; every wait has an end.
 */
export { type LimiterMetrics, limiterMetrics } from './limiterMetrics.ts';
export { openProxyServer, type ProxyServer } from './openProxyServer.ts';
