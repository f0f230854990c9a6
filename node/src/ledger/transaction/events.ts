import type { EventAttribute, LedgerEvent } from '../../types/index.ts';

export type Attributes = Readonly<Record<string, string>>;

/** Gathers the ABCI events of a transaction in the shape of the Cosmos SDK. */
export class EventLog {
  readonly events: LedgerEvent[] = [];

  add(type: string, attributes: Attributes): void {
    const entries = Object.entries(attributes);
    this.events.push({ type, attributes: entries.map(([key, value]) => ({ key, value, index: true })) });
  }
}

/** The same events, each with the index of the message that made it. */
export function ofMessage(events: readonly LedgerEvent[], index: number): LedgerEvent[] {
  return marked(events, { key: 'msg_index', value: String(index), index: true });
}

/** The same events, each with the stage of the block that made it. */
export function ofStage(events: readonly LedgerEvent[], mode: 'BeginBlock' | 'EndBlock'): LedgerEvent[] {
  return marked(events, { key: 'mode', value: mode, index: true });
}

function marked(events: readonly LedgerEvent[], mark: EventAttribute): LedgerEvent[] {
  return events.map(({ type, attributes }) => ({ type, attributes: [...attributes, mark] }));
}
