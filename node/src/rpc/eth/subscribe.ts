import { requireNarrow } from '../clients/criteriaSize.ts';
import { type Codec, optionalParam, param } from '../codec/codec.ts';
import { type LogCriteria, logCriteriaCodec } from '../codec/logQuery.ts';
import { booleanCodec, stringCodec } from '../codec/plainCodecs.ts';
import { REVERSED_RANGE } from '../methodErrors.ts';
import { RPC_CODE, RpcError } from '../rpcError.ts';
import { type CallSubscriptions, type RpcCall, rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';
import { pastRange, subscribeWithPast, TOO_MANY_PAST_LOGS } from '../subscriptions/pastLogs.ts';
import type { Topic } from '../subscriptions/topic.ts';

type Option = LogCriteria | boolean;

/** What a second parameter may be; which of them depends on the kind. */
const optionCodec: Codec<Option> = {
  schema: { anyOf: [booleanCodec.schema, logCriteriaCodec.schema] },
  decode: (value) =>
    typeof value === 'object' ? logCriteriaCodec.decode(value) : booleanCodec.decode(value),
};

/** Starts to push; ends with the connection or with eth_unsubscribe (spec R-22). */
export const subscribe = rpcMethod({
  name: 'eth_subscribe',
  summary:
    'Push `newHeads`, `logs` (of a filter; from a `fromBlock` that is past on), `newPendingTransactions` (with `true` whole) or `syncing`; gives a subscription id',
  transport: 'webSocket',
  params: [param('kind', stringCodec), optionalParam('option', optionCodec, undefined)],
  result: QUANTITY,
  errors: [
    { code: RPC_CODE.methodNotFound, message: 'notifications not supported' },
    { code: RPC_CODE.methodNotFound, message: 'no "…" subscription in eth namespace' },
    { code: RPC_CODE.server, message: 'no new subscription can be created' },
    REVERSED_RANGE,
    TOO_MANY_PAST_LOGS,
  ],
  uses: ['chain', 'history', 'limits', 'turns', 'logNamespace'],
  handle: (deps, [kind, option], call) => {
    const subscriptions = subscriptionsOf(call);
    const topic = topicOf(kind, option);
    if (topic.kind === 'logs') requireNarrow(topic.criteria, deps.limits.maxLogItems);
    const past = topic.kind === 'logs' ? pastRange(deps, topic.criteria) : undefined;
    if (topic.kind !== 'logs' || !past) return subscriptions.add(topic);
    return subscribeWithPast(
      deps,
      { criteria: topic.criteria, past },
      { subscriptions, signal: call.signal },
    );
  },
});

/** The subscriptions of the connection that a call came over. Throws −32601 where nothing can be pushed. */
export function subscriptionsOf({ subscriptions }: RpcCall): CallSubscriptions {
  if (!subscriptions) throw new RpcError(RPC_CODE.methodNotFound, 'notifications not supported');
  return subscriptions;
}

function topicOf(kind: string, option: Option | undefined): Topic {
  switch (kind) {
    case 'newHeads':
    case 'syncing':
      return { kind };
    case 'logs':
      return { kind, criteria: criteriaOf(option) };
    case 'newPendingTransactions':
      return { kind, withBodies: booleanOf(option) };
    default:
      throw new RpcError(RPC_CODE.methodNotFound, `no "${kind}" subscription in eth namespace`);
  }
}

function criteriaOf(option: Option | undefined): LogCriteria {
  if (typeof option === 'boolean') throw wrongOption('logs takes a filter object');
  if (option?.blockHash) throw wrongOption('logs of a block that is there are for eth_getLogs');
  return option ?? logCriteriaCodec.decode({});
}

function booleanOf(option: Option | undefined): boolean {
  if (typeof option === 'object') throw wrongOption('newPendingTransactions takes true or false');
  return option ?? false;
}

function wrongOption(detail: string): RpcError {
  return new RpcError(RPC_CODE.invalidParams, `invalid argument 1: ${detail}`);
}
