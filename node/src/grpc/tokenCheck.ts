import type { Access } from '@chain/platform/servers';
import {
  type Metadata,
  ResponderBuilder,
  ServerInterceptingCall,
  type ServerInterceptor,
  ServerListenerBuilder,
  status,
} from '@grpc/grpc-js';

/** Probes bring no token, and learn no more than that the node serves. */
const HEALTH = '/grpc.health.v1.Health/';

/** UNAUTHENTICATED for calls whose `authorization` is not admitted, before their message is read. */
export function tokenCheck(admits: NonNullable<Access['admits']>): ServerInterceptor {
  return ({ path }, call) => {
    const check = (metadata: Metadata, next: (metadata: Metadata) => void): void => {
      if (path.startsWith(HEALTH) || admits(metadata.get('authorization')[0]?.toString())) next(metadata);
      else call.sendStatus({ code: status.UNAUTHENTICATED, details: 'a token is wanted: "Bearer <token>"' });
    };
    const listener = new ServerListenerBuilder().withOnReceiveMetadata(check).build();
    return new ServerInterceptingCall(
      call,
      new ResponderBuilder().withStart((next) => next(listener)).build(),
    );
  };
}
