import type { TxResponse } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci';
import { formatBlockTime } from '../../comet/index.ts';
import type { FoundLedgerTransaction } from '../../history/index.ts';
import { bytesToHex, sha256 } from '../../primitives/index.ts';
import type { LedgerEvent } from '../../types/index.ts';

/** As the ledger prints hashes and data. */
export function hashText(hash: Uint8Array): string {
  return bytesToHex(hash).toUpperCase();
}

/** The outcome of a transaction in a block. */
export function txResponse({ record, index }: FoundLedgerTransaction): TxResponse {
  const { block, results } = record;
  const raw = block.txs[index]!;
  const { code, codespace, data, log, gasWanted, gasUsed, events } = results[index]!;
  return {
    height: BigInt(block.header.height),
    txhash: hashText(sha256(raw)),
    codespace,
    code,
    data: hashText(data),
    rawLog: log,
    logs: [],
    info: '',
    gasWanted,
    gasUsed,
    tx: { typeUrl: '/cosmos.tx.v1beta1.Tx', value: raw },
    timestamp: formatBlockTime({ seconds: block.header.time.seconds, nanos: 0 }),
    events: wireEvents(events),
  };
}

export function wireEvents(events: readonly LedgerEvent[]): TxResponse['events'] {
  return events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map(({ key, value, index }) => ({ key, value, index })),
  }));
}
