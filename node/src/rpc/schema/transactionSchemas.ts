import { arrayOf, type JsonSchema, mapOf, nullable, objectOf, ref } from './jsonSchema.ts';
import { ADDRESS, DATA, HASH, QUANTITY, STRING } from './valueSchemas.ts';

const decimal: JsonSchema = { type: 'string', pattern: '^[0-9]+$' };
const bySender = mapOf('^0x[0-9a-fA-F]{40}$', mapOf('^[0-9]+$', ref('Transaction')));
const placed: JsonSchema = nullable(QUANTITY);

/** Members of every receipt. */
export const RECEIPT: Readonly<Record<string, JsonSchema>> = {
  blockHash: HASH,
  blockNumber: QUANTITY,
  contractAddress: nullable(ADDRESS),
  cumulativeGasUsed: QUANTITY,
  effectiveGasPrice: QUANTITY,
  from: ADDRESS,
  gasUsed: QUANTITY,
  logs: arrayOf(ref('Log')),
  logsBloom: ref('Bloom'),
  status: QUANTITY,
  transactionHash: HASH,
  transactionIndex: QUANTITY,
  type: QUANTITY,
};

/** Transactions, receipts and logs as they go over the wire (spec R-9). */
export const TRANSACTION_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  AccessList: arrayOf(objectOf({ address: ADDRESS, storageKeys: arrayOf(HASH) })),
  Authorization: objectOf({
    chainId: QUANTITY,
    address: ADDRESS,
    nonce: QUANTITY,
    yParity: QUANTITY,
    r: QUANTITY,
    s: QUANTITY,
  }),
  Transaction: {
    ...objectOf(
      {
        blockHash: nullable(HASH),
        blockNumber: placed,
        blockTimestamp: placed,
        from: ADDRESS,
        gas: QUANTITY,
        gasPrice: QUANTITY,
        hash: HASH,
        input: DATA,
        nonce: QUANTITY,
        to: nullable(ADDRESS),
        transactionIndex: placed,
        value: QUANTITY,
        type: QUANTITY,
        v: QUANTITY,
        r: QUANTITY,
        s: QUANTITY,
      },
      {
        maxFeePerGas: QUANTITY,
        maxPriorityFeePerGas: QUANTITY,
        accessList: ref('AccessList'),
        authorizationList: arrayOf(ref('Authorization')),
        chainId: QUANTITY,
        yParity: QUANTITY,
      },
    ),
    description: 'place members are null while it waits in the mempool',
  },
  UnsignedTransaction: objectOf(
    {
      from: ADDRESS,
      gas: QUANTITY,
      gasPrice: QUANTITY,
      input: DATA,
      nonce: QUANTITY,
      to: nullable(ADDRESS),
      value: QUANTITY,
      type: QUANTITY,
    },
    {
      maxFeePerGas: QUANTITY,
      maxPriorityFeePerGas: QUANTITY,
      accessList: ref('AccessList'),
      authorizationList: arrayOf(ref('Authorization')),
      chainId: QUANTITY,
    },
  ),
  PoolContent: objectOf({ pending: bySender, queued: bySender }),
  Log: objectOf({
    address: ADDRESS,
    topics: { ...arrayOf(HASH), maxItems: 4 },
    data: DATA,
    blockNumber: QUANTITY,
    transactionHash: HASH,
    transactionIndex: QUANTITY,
    blockHash: HASH,
    blockTimestamp: QUANTITY,
    logIndex: QUANTITY,
    removed: {
      type: 'boolean',
      description: 'true where a block was taken back; only told to filters and subscriptions',
    },
  }),
  Receipt: objectOf({ ...RECEIPT, to: nullable(ADDRESS) }),
  LegacyTransaction: {
    ...objectOf({
      blockHash: HASH,
      blockNumber: QUANTITY,
      blockTimestamp: QUANTITY,
      from: ADDRESS,
      gas: QUANTITY,
      gasPrice: { type: 'null' },
      hash: HASH,
      input: DATA,
      nonce: QUANTITY,
      to: nullable(ADDRESS),
      transactionIndex: QUANTITY,
      value: nullable(QUANTITY),
      type: { const: '0x0' },
      v: { type: 'null' },
      r: { type: 'null' },
      s: { type: 'null' },
    }),
    description: 'synthetic transaction or bank transfer',
  },
  LegacyReceipt: {
    ...objectOf(RECEIPT, { to: nullable(ADDRESS) }),
    description: 'a synthetic one has type `0xffffffff` and no `to`',
  },
  LedgerTx: objectOf({
    hash: { type: 'string', pattern: '^[0-9A-F]{64}$', description: 'SHA-256 of the ledger bytes' },
    height: decimal,
    index: { type: 'integer' },
    code: { type: 'integer' },
    codespace: STRING,
    log: STRING,
    gasWanted: decimal,
    gasUsed: decimal,
    events: arrayOf({
      ...objectOf({
        type: STRING,
        attributes: arrayOf(objectOf({ key: STRING, value: STRING }, { index: { type: 'boolean' } })),
      }),
    }),
    tx: { type: 'string', description: 'ledger bytes in base64' },
    raw: { type: 'string', pattern: '^[0-9a-f]*$', description: 'ledger bytes in hex' },
  }),
};
