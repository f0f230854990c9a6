import type { ServerResponse } from 'node:http';
import type { DirectMessage } from './directMessage.ts';
import { type HttpHandler, type HttpReply, refusal } from './httpExchange.ts';
import { type ReplyOptions, sendReply } from './httpReply.ts';
import type { BodyReader } from './requestBody.ts';
import { answerOn, ResponseSide } from './responseSide.ts';

export interface RawRouteOptions {
  readonly replies: ReplyOptions;
  readonly handler: HttpHandler;
  /** See HttpServerOptions. */
  readonly retryAfterMs: (remoteAddress: string) => number;
}

/** A route beside the framework: no routing, no hooks, one write. Takes what the lane before it leaves. */
export function createRawRoute(
  { replies, handler, retryAfterMs }: RawRouteOptions,
  bodies: BodyReader,
): (message: DirectMessage, response: ServerResponse) => void {
  const release = (bytes: number): void => bodies.release(bytes);
  return (message, response) => {
    const waitMs = retryAfterMs(message.socket.remoteAddress ?? '');
    if (waitMs > 0) {
      refuse(replies, message, response, refusal(429, 'too many requests', Math.ceil(waitMs / 1000)));
      return;
    }
    const answer = (body: Buffer | HttpReply): void => {
      const side = new ResponseSide({ response, replies, release });
      if (Buffer.isBuffer(body)) answerOn(side, { head: message, handler }, { body });
      else refuse(replies, message, response, body);
    };
    bodies.read(
      message,
      replies.boundary.guard(answer, () => response.destroy()),
    );
  };
}

/** Answers a request that is not read any further. */
export function refuse(
  replies: ReplyOptions,
  message: DirectMessage,
  response: ServerResponse,
  reply: HttpReply,
): void {
  // The rest of the body is not wanted: the connection cannot carry another request.
  response.setHeader('connection', 'close');
  sendReply(replies, message.headers, new ResponseSide({ response, replies, release: () => {} }), reply);
  message.discard();
}
