/**
 * HTTP and WebSocket servers, and the admin listener of every program.
 * Owns: fastify, ws. Does not own: anything that knows of chains.
 * Invariant: every server has limits.
 */
export { type Access, type AccessOptions, openAccess, type TlsSource } from './access/openAccess.ts';
export {
  type AdminServerDeps,
  type AdminServerOptions,
  type Health,
  type HealthReport,
  openAdminServer,
} from './adminServer.ts';
export { ConnectionShares, type WatchAnswers } from './connectionShares.ts';
export { DirectMessage } from './directMessage.ts';
export { isSameOrigin } from './hostCheck.ts';
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
export { type BodyLimits, BodyReader } from './requestBody.ts';
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
