import { type CallScope, type CometMethod, cometMethod, type Subscriber } from '../cometMethod.ts';
import { text } from '../params/paramKinds.ts';

/** These methods are found over WebSocket only, where every caller has one. */
function subscriberOf({ caller }: CallScope): Subscriber {
  return caller.subscriber!;
}

export const subscriptionMethods: readonly CometMethod[] = [
  cometMethod({
    name: 'subscribe',
    summary: "Sends what matches a query, as `tm.event = 'NewBlock'`, under the id of this call",
    params: { query: text },
    webSocketOnly: true,
    handle: ({ query }, scope) => {
      subscriberOf(scope).subscribe(query, scope.id);
      return {};
    },
  }),
  cometMethod({
    name: 'unsubscribe',
    summary: 'Ends the subscription with this query',
    params: { query: text },
    webSocketOnly: true,
    handle: ({ query }, scope) => {
      subscriberOf(scope).unsubscribe(query);
      return {};
    },
  }),
  cometMethod({
    name: 'unsubscribe_all',
    summary: 'Ends all subscriptions of this connection',
    params: {},
    webSocketOnly: true,
    handle: (_params, scope) => {
      subscriberOf(scope).unsubscribeAll();
      return {};
    },
  }),
];
