import type {
  Block,
  BlockHeader,
  BlockId,
  BlockRecord,
  EvmLog,
  LedgerEvent,
  Misbehavior,
  Receipt,
  TransactionResult,
  ValidatorPower,
} from '../../types/index.ts';
import { ByteReader } from './byteReader.ts';
import { OLD_RECORD_FORMAT, PUNISHING_RECORD_FORMAT, RECORD_FORMATS } from './encodeRecord.ts';

/** Bytes in the result are views into `bytes`. Throws HISTORY_RECORD_INVALID. */
export function decodeBlockRecord(bytes: Uint8Array): BlockRecord {
  const reader = new ByteReader(bytes);
  const format = reader.count();
  if (!RECORD_FORMATS.includes(format)) reader.fail();
  const isOld = format === OLD_RECORD_FORMAT;
  // Members are read in the order in which they are written here.
  const record = {
    block: readBlock(reader),
    baseFee: reader.integer(),
    nextBaseFee: reader.integer(),
    gasLimit: reader.integer(),
    results: reader.list(() => readResult(reader)),
    receipts: reader.list(() => readReceipt(reader)),
    events: isOld ? [] : reader.list(() => readEvent(reader)),
    validators: isOld ? [] : reader.list(() => readValidator(reader)),
    validatorUpdates: isOld ? [] : reader.list(() => readValidator(reader)),
    ...(format === PUNISHING_RECORD_FORMAT && { misbehavior: reader.list(() => readMisbehavior(reader)) }),
  };
  if (!reader.atEnd) reader.fail();
  return record;
}

function readBlock(reader: ByteReader): Block {
  return {
    id: readId(reader),
    header: readHeader(reader),
    txs: reader.list(() => reader.bytes()),
    lastCommit: reader.bytes(),
    sizeBytes: reader.count(),
  };
}

function readHeader(reader: ByteReader): BlockHeader {
  return {
    blockProtocol: reader.integer(),
    appProtocol: reader.integer(),
    chainId: reader.text(),
    height: reader.count(),
    time: { seconds: reader.integer(), nanos: reader.count() },
    lastBlockId: readId(reader),
    lastCommitHash: reader.bytes(),
    dataHash: reader.bytes(),
    validatorsHash: reader.bytes(),
    nextValidatorsHash: reader.bytes(),
    consensusHash: reader.bytes(),
    appHash: reader.bytes(),
    lastResultsHash: reader.bytes(),
    evidenceHash: reader.bytes(),
    proposerAddress: reader.bytes(),
  };
}

function readId(reader: ByteReader): BlockId {
  return { hash: reader.bytes(), partsTotal: reader.count(), partsHash: reader.bytes() };
}

function readResult(reader: ByteReader): TransactionResult {
  return {
    code: reader.count(),
    codespace: reader.text(),
    data: reader.bytes(),
    log: reader.text(),
    gasWanted: reader.integer(),
    gasUsed: reader.integer(),
    events: reader.list(() => readEvent(reader)),
  };
}

function readEvent(reader: ByteReader): LedgerEvent {
  return {
    type: reader.text(),
    attributes: reader.list(() => ({
      key: reader.text(),
      value: reader.text(),
      index: reader.count() === 1,
    })),
  };
}

const readValidator = (reader: ByteReader): ValidatorPower => ({
  publicKey: reader.bytes(),
  power: reader.integer(),
});

const readMisbehavior = (reader: ByteReader): Misbehavior => ({
  kind: reader.count() === 1 ? 'duplicateVote' : 'lightClientAttack',
  address: reader.bytes(),
  power: reader.integer(),
  height: reader.count(),
  time: { seconds: reader.integer(), nanos: reader.count() },
});

function readReceipt(reader: ByteReader): Receipt {
  return {
    transactionHash: reader.bytes(),
    blockNumber: reader.count(),
    ledgerIndex: reader.count(),
    transactionIndex: reader.count(),
    type: reader.count(),
    from: reader.bytes(),
    to: reader.optionalBytes(),
    contractAddress: reader.optionalBytes(),
    status: reader.count() === 1 ? 1 : 0,
    gasUsed: reader.integer(),
    cumulativeGasUsed: reader.integer(),
    effectiveGasPrice: reader.integer(),
    firstLogIndex: reader.count(),
    vmError: reader.text(),
    returnData: reader.bytes(),
    logs: reader.list(() => readLog(reader)),
  };
}

function readLog(reader: ByteReader): EvmLog {
  return {
    address: reader.bytes(),
    topics: reader.list(() => reader.bytes()),
    data: reader.bytes(),
  };
}
