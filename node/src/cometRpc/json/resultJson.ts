import type { LedgerEvent, TransactionResult } from '../../types/index.ts';
import { base64OrNull, type Json } from './values.ts';

/** ABCI events as CometBFT writes them. */
export function eventsJson(events: readonly LedgerEvent[]): Json {
  return events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map(({ key, value, index }) => ({ key, value, index })),
  }));
}

/** `ExecTxResult` with every member. */
export function resultJson(result: TransactionResult): Json {
  return {
    code: result.code,
    data: base64OrNull(result.data),
    log: result.log,
    info: '',
    gas_wanted: String(result.gasWanted),
    gas_used: String(result.gasUsed),
    events: eventsJson(result.events),
    codespace: result.codespace,
  };
}

/** `ExecTxResult` as it stands in a Tx event, where members that say nothing are left out. */
export function sparseResultJson(result: TransactionResult): Json {
  const { code, data, log, gasWanted, gasUsed, events, codespace } = result;
  return {
    ...(code !== 0 && { code }),
    ...(data.length > 0 && { data: base64OrNull(data) }),
    ...(log !== '' && { log }),
    ...(gasWanted !== 0n && { gas_wanted: String(gasWanted) }),
    ...(gasUsed !== 0n && { gas_used: String(gasUsed) }),
    ...(events.length > 0 && { events: eventsJson(events) }),
    ...(codespace !== '' && { codespace }),
  };
}

/** The result of a transaction that did not run. */
export const NO_RESULT: TransactionResult = {
  code: 0,
  codespace: '',
  data: new Uint8Array(0),
  log: '',
  gasWanted: 0n,
  gasUsed: 0n,
  events: [],
};
