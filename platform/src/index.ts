/**
 * What two programs share: logger, metrics, lifecycle, errors, clock, HTTP and WebSocket servers.
 * Owns: pino, prom-client, fastify, ws. Does not own: anything that knows of chains.
 * Invariant: no module-level mutable state; every server has limits.
 */
export {
  type AdminServerDeps,
  type AdminServerOptions,
  type Health,
  type HealthReport,
  openAdminServer,
} from './adminServer.ts';
export { type Clock, systemClock } from './clock.ts';
export { DirectMessage } from './directMessage.ts';
export { diskFull, isDiskFull, messageOf, writeRemedy } from './diskFull.ts';
export { syncDirectory, writeFileDurably } from './durableFile.ts';
export { CodedError, type ErrorFields, isCodedError } from './errors.ts';
export { hostAndPort, urlOf } from './hostAndPort.ts';
export { type HttpHandler, type HttpReply, type HttpRequest, refusal } from './httpExchange.ts';
export {
  cannotListen,
  DEFAULT_HTTP_LIMITS,
  type HttpLimits,
  type HttpRoute,
  type HttpServer,
  type HttpServerOptions,
  openHttpServer,
} from './httpServer.ts';
export { Lifecycle } from './lifecycle.ts';
export {
  createLogger,
  type LogFields,
  type Logger,
  type LoggerOptions,
  type LogLevel,
  silentLogger,
} from './logger.ts';
export {
  type CounterMetric,
  createMetricsRegistry,
  type GaugeMetric,
  type HistogramMetric,
  type MetricDefinition,
  type MetricsRegistry,
} from './metrics.ts';
export { pathExists } from './pathExists.ts';
export { type BodyLimits, BodyReader } from './requestBody.ts';
export { boxKeys, openSealed, sealTo } from './sealedBox.ts';
export { Serial } from './serial.ts';
export { onStopSignal } from './stopSignal.ts';
export { type TurnShare, Turns } from './turns.ts';
export type { WebSocketLimits } from './webSocket/webSocketLimits.ts';
export {
  CLOSE as WEB_SOCKET_CLOSE,
  type WebSocketPeer,
  type WebSocketSession,
} from './webSocket/webSocketPeer.ts';
export {
  createWebSocketEndpoint,
  openWebSocketServer,
  type WebSocketEndpoint,
  type WebSocketServerOptions,
} from './webSocket/webSocketServer.ts';
