import fc from 'fast-check';
import type {
  BlockHeader,
  BlockId,
  BlockRecord,
  EvmLog,
  LedgerEvent,
  Misbehavior,
  Receipt,
  TransactionResult,
  ValidatorPower,
} from '../types/index.ts';

// Arbitrary and fixed records for the tests of this room. Addresses and topics come from small pools, so that
// queries find some.

const bytes = (maxLength: number) => fc.uint8Array({ maxLength });
const exactly = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
const wei = fc.bigInt(0n, 2n ** 256n - 1n);
const count = fc.nat(Number.MAX_SAFE_INTEGER);
const id: fc.Arbitrary<BlockId> = fc.record({ hash: bytes(32), partsTotal: fc.nat(), partsHash: bytes(32) });

export const word = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);
export const ADDRESSES = [1, 2, 3].map((value) => word(20, value));
export const TOPICS = [1, 2, 3, 4].map((value) => word(32, value));

const log: fc.Arbitrary<EvmLog> = fc.record({
  address: fc.constantFrom(...ADDRESSES),
  topics: fc.array(fc.constantFrom(...TOPICS), { maxLength: 4 }),
  data: bytes(40),
});

const header: fc.Arbitrary<BlockHeader> = fc.record({
  blockProtocol: fc.bigInt(0n, 2n ** 64n - 1n),
  appProtocol: fc.bigInt(0n, 2n ** 64n - 1n),
  chainId: fc.string(),
  height: count,
  time: fc.record({ seconds: int64, nanos: fc.nat(999_999_999) }),
  lastBlockId: id,
  lastCommitHash: bytes(32),
  dataHash: bytes(32),
  validatorsHash: bytes(32),
  nextValidatorsHash: bytes(32),
  consensusHash: bytes(32),
  appHash: bytes(32),
  lastResultsHash: bytes(32),
  evidenceHash: bytes(32),
  proposerAddress: bytes(20),
});

const event: fc.Arbitrary<LedgerEvent> = fc.record({
  type: fc.string(),
  attributes: fc.array(fc.record({ key: fc.string(), value: fc.string(), index: fc.boolean() })),
});

const validator: fc.Arbitrary<ValidatorPower> = fc.record({
  publicKey: exactly(32),
  power: fc.bigInt(0n, 2n ** 60n),
});

const misbehavior: fc.Arbitrary<Misbehavior> = fc.record({
  kind: fc.constantFrom('duplicateVote', 'lightClientAttack'),
  address: exactly(20),
  power: int64,
  height: count,
  time: fc.record({ seconds: int64, nanos: fc.nat(999_999_999) }),
});

const result: fc.Arbitrary<TransactionResult> = fc.record({
  code: fc.nat(),
  codespace: fc.string(),
  data: bytes(40),
  log: fc.string({ unit: 'binary' }),
  gasWanted: int64,
  gasUsed: int64,
  events: fc.array(event, { maxLength: 3 }),
});

const receipt: fc.Arbitrary<Receipt> = fc.record({
  transactionHash: exactly(32),
  blockNumber: count,
  ledgerIndex: fc.nat(),
  transactionIndex: fc.nat(),
  type: fc.constantFrom(0, 2, 4, 0xffffffff),
  from: exactly(20),
  to: fc.option(exactly(20)),
  contractAddress: fc.option(exactly(20)),
  status: fc.constantFrom(0, 1),
  gasUsed: fc.bigInt(0n, 2n ** 64n - 1n),
  cumulativeGasUsed: fc.bigInt(0n, 2n ** 64n - 1n),
  effectiveGasPrice: wei,
  logs: fc.array(log, { maxLength: 4 }),
  firstLogIndex: fc.nat(),
  vmError: fc.string(),
  returnData: bytes(40),
});

const wholeRecord = {
  block: fc.record({ id, header, txs: fc.array(bytes(60)), lastCommit: bytes(40), sizeBytes: count }),
  results: fc.array(result, { maxLength: 4 }),
  receipts: fc.array(receipt, { maxLength: 4 }),
  baseFee: wei,
  nextBaseFee: wei,
  gasLimit: wei,
  events: fc.array(event, { maxLength: 3 }),
  validators: fc.array(validator, { maxLength: 3 }),
  validatorUpdates: fc.array(validator, { maxLength: 2 }),
};

export const recordArbitrary: fc.Arbitrary<BlockRecord> = fc.oneof(
  { weight: 4, arbitrary: fc.record(wholeRecord) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...wholeRecord,
      misbehavior: fc.array(misbehavior, { minLength: 1, maxLength: 2 }),
    }),
  },
);

/** Logs of a block: one list a receipt. */
export const blockLogsArbitrary: fc.Arbitrary<{ logs: EvmLog[]; synthetic: boolean }[]> = fc.array(
  fc.record({ logs: fc.array(log, { maxLength: 3 }), synthetic: fc.boolean() }),
  { maxLength: 3 },
);

/** A record that is whole: hashes, transactions and receipts are different in every height. */
export function recordAt(
  height: number,
  receipts: readonly { logs: readonly EvmLog[]; synthetic: boolean }[] = [{ logs: [], synthetic: false }],
): BlockRecord {
  const [base] = fc.sample(recordArbitrary, { numRuns: 1, seed: height }) as [BlockRecord];
  const mark = (kind: number, index: number): Uint8Array => {
    const bytes = word(32, kind);
    new DataView(bytes.buffer).setUint32(0, height);
    new DataView(bytes.buffer).setUint32(4, index);
    return bytes;
  };
  let firstLogIndex = 0;
  return {
    ...base,
    block: {
      ...base.block,
      id: { ...base.block.id, hash: mark(1, 0) },
      header: { ...base.block.header, height },
      txs: receipts.map((_, i) => mark(2, i)),
    },
    receipts: receipts.map(({ logs, synthetic }, i) => {
      const first = firstLogIndex;
      firstLogIndex += logs.length;
      return {
        ...(fc.sample(receipt, { numRuns: 1, seed: height * 100 + i })[0] as Receipt),
        transactionHash: mark(3, i),
        blockNumber: height,
        ledgerIndex: i,
        transactionIndex: i,
        type: synthetic ? 0xffffffff : 2,
        logs,
        firstLogIndex: first,
      };
    }),
  };
}

/** One receipt, with a log in every other block. */
export function logsAt(height: number): { logs: EvmLog[]; synthetic: boolean }[] {
  const one = { address: ADDRESSES[0]!, topics: [TOPICS[height % 4]!], data: word(3, 3) };
  return [{ logs: height % 2 === 0 ? [one] : [], synthetic: false }];
}
