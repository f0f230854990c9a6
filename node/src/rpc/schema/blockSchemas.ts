import { arrayOf, type JsonSchema, nullable, objectOf, ref } from './jsonSchema.ts';
import { RECEIPT } from './transactionSchemas.ts';
import { ADDRESS, DATA, HASH, QUANTITY, STRING } from './valueSchemas.ts';

const HEADER = {
  baseFeePerGas: QUANTITY,
  difficulty: QUANTITY,
  extraData: DATA,
  gasLimit: QUANTITY,
  gasUsed: QUANTITY,
  hash: HASH,
  logsBloom: ref('Bloom'),
  miner: ADDRESS,
  mixHash: HASH,
  nonce: ref('Bytes8'),
  number: QUANTITY,
  parentHash: HASH,
  receiptsRoot: HASH,
  sha3Uncles: HASH,
  stateRoot: HASH,
  timestamp: QUANTITY,
  transactionsRoot: HASH,
};

const BLOCK = {
  ...HEADER,
  size: QUANTITY,
  transactions: { anyOf: [arrayOf(HASH), arrayOf(ref('Transaction'))] },
  uncles: { ...arrayOf(HASH), maxItems: 0 },
};

const NOTHING: JsonSchema = { type: 'null' };
const { transactions: _transactions, ...BARE_BLOCK } = BLOCK;
const OTTERSCAN_BLOCK = {
  ...BARE_BLOCK,
  logsBloom: NOTHING,
  transactionCount: { type: 'integer', minimum: 0 },
};
/** A receipt without its logs. */
const BARE_RECEIPT = {
  ...RECEIPT,
  to: nullable(ADDRESS),
  logs: NOTHING,
  logsBloom: NOTHING,
};

/** Blocks as they go over the wire (spec R-8). */
export const BLOCK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Header: objectOf(HEADER),
  Resource: objectOf({ disabled: { type: 'boolean' }, oldestBlock: QUANTITY }),
  Block: objectOf(BLOCK, { totalDifficulty: QUANTITY }), // Block 0 has none.
  PendingBlock: {
    ...objectOf({ ...BLOCK, hash: { type: 'null' }, nonce: { type: 'null' } }, { totalDifficulty: QUANTITY }),
    description: 'the newest state with the transactions of the mempool; nobody has decided it',
  },
  OtterscanBlockDetails: objectOf({
    block: objectOf(OTTERSCAN_BLOCK, { totalDifficulty: QUANTITY }),
    issuance: objectOf({ blockReward: QUANTITY, uncleReward: QUANTITY, issuance: QUANTITY }),
    totalFees: QUANTITY,
  }),
  OtterscanBlockPage: objectOf({
    fullblock: objectOf(
      { ...OTTERSCAN_BLOCK, transactions: arrayOf(ref('Transaction')) },
      { totalDifficulty: QUANTITY },
    ),
    receipts: arrayOf(objectOf(BARE_RECEIPT)),
  }),
  OtterscanPage: objectOf({
    txs: arrayOf(ref('Transaction')),
    receipts: arrayOf(objectOf({ ...BARE_RECEIPT, timestamp: { type: 'integer', minimum: 0 } })),
    firstPage: { type: 'boolean' },
    lastPage: { type: 'boolean' },
  }),
  SimulatedBlock: objectOf({ ...BLOCK, calls: arrayOf(ref('SimulatedCall')) }),
  SimulatedCall: objectOf(
    {
      returnData: DATA,
      logs: arrayOf(ref('Log')),
      gasUsed: QUANTITY,
      maxUsedGas: QUANTITY,
      status: { type: 'string', enum: ['0x0', '0x1'] },
    },
    { error: objectOf({ code: { type: 'integer' }, message: STRING }, { data: DATA }) },
  ),
  LegacyBlock: objectOf(
    {
      ...HEADER,
      size: QUANTITY,
      transactions: {
        anyOf: [arrayOf(HASH), arrayOf({ anyOf: [ref('Transaction'), ref('LegacyTransaction')] })],
      },
      uncles: { ...arrayOf(HASH), maxItems: 0 },
    },
    { totalDifficulty: QUANTITY },
  ),
  FeeHistory: objectOf(
    {
      oldestBlock: nullable(QUANTITY),
      gasUsedRatio: nullable(arrayOf({ type: 'number', minimum: 0, maximum: 1 })),
    },
    { reward: arrayOf(arrayOf(QUANTITY)), baseFeePerGas: arrayOf(QUANTITY) },
  ),
};
