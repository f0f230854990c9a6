import { sha256 } from '../../primitives/index.ts';
import type { BlockRecord, LedgerEvent } from '../../types/index.ts';
import { headerJson, identifiedBlockJson } from '../json/blockJson.ts';
import { eventsJson, resultJson, sparseResultJson } from '../json/resultJson.ts';
import { validatorJson, validatorUpdateJson } from '../json/validatorJson.ts';
import { base64, type Json, toGoJson, upperHex } from '../json/values.ts';

/** One event as CometBFT publishes it. */
export interface PublishedEvent {
  /** By tag; what queries look at and what subscribers are told. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** `{type, value}` as JSON text; made at the first call. */
  data(): string;
}

/** The events of a block, in CometBFT's order: the block, its header, its events, then each transaction. */
export function eventsOfBlock(record: BlockRecord, appHash: Uint8Array): PublishedEvent[] {
  const { block, validatorUpdates } = record;
  return [
    event('NewBlock', () => newBlockJson(record, appHash), valuesOf(record.events)),
    event('NewBlockHeader', () => ({ header: headerJson(block.header) })),
    event('NewBlockEvents', () => newBlockEventsJson(record), valuesOf(record.events)),
    ...block.txs.map((tx, index) => transactionEvent(record, tx, index)),
    ...(validatorUpdates.length === 0
      ? []
      : [event('ValidatorSetUpdates', () => ({ validator_updates: validatorUpdates.map(validatorJson) }))]),
  ];
}

function newBlockEventsJson({ block, events }: BlockRecord): Json {
  const { header, txs } = block;
  return {
    height: String(header.height),
    events: events.length === 0 ? null : eventsJson(events),
    num_txs: String(txs.length),
  };
}

function newBlockJson({ block, results, events, validatorUpdates }: BlockRecord, appHash: Uint8Array): Json {
  return {
    ...(identifiedBlock(block) as object),
    result_finalize_block: {
      ...(events.length > 0 && { events: eventsJson(events) }),
      ...(results.length > 0 && { tx_results: results.map(resultJson) }),
      validator_updates: validatorUpdates.map(validatorUpdateJson),
      app_hash: base64(appHash),
    },
  };
}

/** In events the block comes before its id. */
function identifiedBlock(block: BlockRecord['block']): Json {
  const { block_id, block: content } = identifiedBlockJson(block) as { block_id: Json; block: Json };
  return { block: content, block_id };
}

function transactionEvent({ block, results }: BlockRecord, tx: Uint8Array, index: number): PublishedEvent {
  const result = results[index]!;
  const height = String(block.header.height);
  const values = valuesOf(result.events);
  append(values, 'tx.hash', upperHex(sha256(tx)));
  append(values, 'tx.height', height);
  return event(
    'Tx',
    () => ({
      TxResult: { height, ...(index !== 0 && { index }), tx: base64(tx), result: sparseResultJson(result) },
    }),
    values,
  );
}

function event(name: string, value: () => Json, values = new Map<string, string[]>()): PublishedEvent {
  append(values, 'tm.event', name);
  let text: string | undefined;
  return {
    values,
    data: () => {
      text ??= toGoJson({ type: `tendermint/event/${name}`, value: value() });
      return text;
    },
  };
}

function valuesOf(events: readonly LedgerEvent[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const { type, attributes } of events) {
    if (type === '') continue;
    for (const { key, value } of attributes) if (key !== '') append(values, `${type}.${key}`, value);
  }
  return values;
}

function append(values: Map<string, string[]>, tag: string, value: string): void {
  const list = values.get(tag);
  if (list) list.push(value);
  else values.set(tag, [value]);
}
