import type { HttpReply } from '@chain/platform/servers';
import { STATUS, type StatusName } from '../ledgerQuery/index.ts';

/** HTTP status codes as grpc-gateway gives them. */
const HTTP_STATUS: Readonly<Record<StatusName, number>> = {
  OK: 200,
  CANCELLED: 408,
  UNKNOWN: 500,
  INVALID_ARGUMENT: 400,
  DEADLINE_EXCEEDED: 504,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  UNIMPLEMENTED: 501,
  INTERNAL: 500,
  UNAVAILABLE: 503,
};

/** `{"code":5,"message":"…","details":[]}` */
export function gatewayError(name: StatusName, message: string): HttpReply {
  const body = JSON.stringify({ code: STATUS[name], message, details: [] });
  return { status: HTTP_STATUS[name], body };
}
