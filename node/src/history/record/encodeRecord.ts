import type {
  Block,
  BlockId,
  BlockRecord,
  LedgerEvent,
  Misbehavior,
  Receipt,
  TransactionResult,
  ValidatorPower,
} from '../../types/index.ts';
import { ByteWriter } from './byteWriter.ts';

/** The first byte of every record; another layout gets another number. */
const RECORD_FORMAT = 2;
/** As 2, with misbehavior at the end: of the few blocks that punish some. */
export const PUNISHING_RECORD_FORMAT = 3;
/** As 2, and ends behind the receipts. */
export const OLD_RECORD_FORMAT = 1;
/** Every layout that a home may still hold. */
export const RECORD_FORMATS: readonly number[] = [OLD_RECORD_FORMAT, RECORD_FORMAT, PUNISHING_RECORD_FORMAT];

/** The bytes of a block record, as the changelog and history keep them. */
export function encodeBlockRecord(record: BlockRecord): Uint8Array {
  const { misbehavior = [] } = record;
  const writer = new ByteWriter().count(misbehavior.length > 0 ? PUNISHING_RECORD_FORMAT : RECORD_FORMAT);
  writeBlock(writer, record.block);
  writer.integer(record.baseFee).integer(record.nextBaseFee).integer(record.gasLimit);
  writer.list(record.results, (result) => writeResult(writer, result));
  writer.list(record.receipts, (receipt) => writeReceipt(writer, receipt));
  writeEvents(writer, record.events);
  writeValidators(writer, record.validators);
  writeValidators(writer, record.validatorUpdates);
  if (misbehavior.length > 0) writer.list(misbehavior, (one) => writeMisbehavior(writer, one));
  return writer.finish();
}

function writeBlock(writer: ByteWriter, { id, header, txs, lastCommit, sizeBytes }: Block): void {
  writeId(writer, id);
  writer.integer(header.blockProtocol).integer(header.appProtocol).text(header.chainId).count(header.height);
  writer.integer(header.time.seconds).count(header.time.nanos);
  writeId(writer, header.lastBlockId);
  for (const hash of [
    header.lastCommitHash,
    header.dataHash,
    header.validatorsHash,
    header.nextValidatorsHash,
    header.consensusHash,
    header.appHash,
    header.lastResultsHash,
    header.evidenceHash,
    header.proposerAddress,
  ]) {
    writer.bytes(hash);
  }
  writer.list(txs, (tx) => writer.bytes(tx));
  writer.bytes(lastCommit).count(sizeBytes);
}

function writeId(writer: ByteWriter, id: BlockId): void {
  writer.bytes(id.hash).count(id.partsTotal).bytes(id.partsHash);
}

function writeResult(writer: ByteWriter, result: TransactionResult): void {
  writer.count(result.code).text(result.codespace).bytes(result.data).text(result.log);
  writer.integer(result.gasWanted).integer(result.gasUsed);
  writeEvents(writer, result.events);
}

function writeEvents(writer: ByteWriter, events: readonly LedgerEvent[]): void {
  writer.list(events, (event) =>
    writer.text(event.type).list(event.attributes, ({ key, value, index }) =>
      writer
        .text(key)
        .text(value)
        .count(index ? 1 : 0),
    ),
  );
}

function writeValidators(writer: ByteWriter, validators: readonly ValidatorPower[]): void {
  writer.list(validators, ({ publicKey, power }) => writer.bytes(publicKey).integer(power));
}

function writeMisbehavior(writer: ByteWriter, { kind, address, power, height, time }: Misbehavior): void {
  writer
    .count(kind === 'duplicateVote' ? 1 : 2)
    .bytes(address)
    .integer(power)
    .count(height);
  writer.integer(time.seconds).count(time.nanos);
}

function writeReceipt(writer: ByteWriter, receipt: Receipt): void {
  writer.bytes(receipt.transactionHash).count(receipt.blockNumber);
  writer.count(receipt.ledgerIndex).count(receipt.transactionIndex).count(receipt.type);
  writer.bytes(receipt.from).optionalBytes(receipt.to).optionalBytes(receipt.contractAddress);
  writer.count(receipt.status).integer(receipt.gasUsed).integer(receipt.cumulativeGasUsed);
  writer.integer(receipt.effectiveGasPrice).count(receipt.firstLogIndex);
  writer.text(receipt.vmError).bytes(receipt.returnData);
  writer.list(receipt.logs, ({ address, topics, data }) =>
    writer
      .bytes(address)
      .list(topics, (topic) => writer.bytes(topic))
      .bytes(data),
  );
}
