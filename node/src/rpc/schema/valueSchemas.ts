import { type JsonSchema, ref } from './jsonSchema.ts';

const hexBytes = (bytes: number, description: string): JsonSchema => ({
  type: 'string',
  pattern: `^0x[0-9a-fA-F]{${bytes * 2}}$`,
  description,
});

export const ADDRESS = ref('Address');
export const HASH = ref('Hash');
export const QUANTITY = ref('Quantity');
export const DATA = ref('Data');
export const BLOCK_NUMBER_OR_TAG = ref('BlockNumberOrTag');
export const BLOCK_ID = ref('BlockId');
export const BOOLEAN: JsonSchema = { type: 'boolean' };
export const STRING: JsonSchema = { type: 'string' };

export const BLOCK_TAGS = ['latest', 'safe', 'finalized', 'pending', 'earliest'] as const;

export const VALUE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Address: hexBytes(20, 'address, 20 bytes'),
  Hash: hexBytes(32, '32 bytes'),
  Bytes8: hexBytes(8, '8 bytes'),
  Bloom: hexBytes(256, 'bloom filter, 256 bytes'),
  Data: { type: 'string', pattern: '^0x([0-9a-fA-F]{2})*$', description: 'bytes' },
  Quantity: {
    type: 'string',
    pattern: '^0x(0|[1-9a-fA-F][0-9a-fA-F]*)$',
    description: 'number in hex, without leading zeros',
  },
  StorageSlot: {
    type: 'string',
    pattern: '^(0x)?[0-9a-fA-F]{0,64}$',
    description: 'storage slot, at most 32 bytes of hex; padded on the left',
  },
  BlockTag: {
    type: 'string',
    enum: BLOCK_TAGS,
    description:
      '`latest`, `safe` and `finalized` are the newest block, for finality is instant; so is `pending`, unless transactions wait that the next block could take',
  },
  BlockNumberOrTag: {
    anyOf: [ref('Quantity'), ref('BlockTag')],
    description: 'block number or tag',
  },
  BlockId: {
    anyOf: [
      ref('Quantity'),
      ref('BlockTag'),
      ref('Hash'),
      {
        type: 'object',
        properties: {
          blockNumber: ref('BlockNumberOrTag'),
          blockHash: ref('Hash'),
          requireCanonical: { type: 'boolean' },
        },
        oneOf: [{ required: ['blockNumber'] }, { required: ['blockHash'] }],
      },
    ],
    description: "block number, tag, hash, or EIP-1898's object",
  },
};
