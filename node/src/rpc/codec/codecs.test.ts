import { describe, expect, it } from 'vitest';
import { blockIdCodec, blockNumberCodec } from './blockId.ts';
import { callRequestCodec } from './callRequest.ts';
import type { Codec } from './codec.ts';
import { addressCodec, dataCodec, hashCodec, quantityAt } from './hexCodecs.ts';
import { logCriteriaCodec } from './logQuery.ts';
import { blockOverridesCodec, stateOverridesCodec } from './overrides.ts';
import { booleanCodec, countCodec, percentilesCodec } from './plainCodecs.ts';
import { storageKeyCodec } from './storageKey.ts';

const ADDRESS = `0x${'Ab'.repeat(20)}`;
const HASH = `0x${'cD'.repeat(32)}`;
const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex');
const into = (what: string, where: string) => `json: cannot unmarshal ${what} into Go ${where}`;

type Rows = [value: unknown, message: string][];
function refuses(name: string, codec: Codec<unknown>, rows: Rows): void {
  const named = rows.map(([value, message]) => ({
    shown: JSON.stringify(value).slice(0, 60),
    value,
    message,
  }));
  it.each(named)(`${name} refuses $shown`, ({ value, message }) => {
    expect(() => codec.decode(value)).toThrow(expect.objectContaining({ message }));
  });
}

describe('hex values', () => {
  it('decode in either case', () => {
    expect(addressCodec.decode(ADDRESS)).toEqual(bytes(ADDRESS));
    expect(hashCodec.decode(HASH.replace('0x', '0X'))).toEqual(bytes(HASH));
    expect(dataCodec.decode('0x')).toEqual(Buffer.alloc(0));
    expect(dataCodec.decode('0x00ff')).toEqual(Buffer.from([0, 255]));
    expect(quantityAt(64).decode('0xFFFFFFFFFFFFFFFF')).toBe(2n ** 64n - 1n);
    expect(quantityAt(256).decode('0x0')).toBe(0n);
  });

  refuses('an address', addressCodec, [
    ['0x1234', 'hex string has length 4, want 40 for common.Address'],
    [HASH, 'hex string has length 64, want 40 for common.Address'],
    ['', 'hex string has length 0, want 40 for common.Address'],
    ['0x', 'hex string has length 0, want 40 for common.Address'],
    [ADDRESS.slice(2), into('hex string without 0x prefix', 'value of type common.Address')],
    ['0x123', into('hex string of odd length', 'value of type common.Address')],
    [`0x${'zz'.repeat(20)}`, into('invalid hex string', 'value of type common.Address')],
    [5, into('non-string', 'value of type common.Address')],
    [{}, into('non-string', 'value of type common.Address')],
  ]);
  refuses('a hash', hashCodec, [
    ['0x12', 'hex string has length 2, want 64 for common.Hash'],
    [HASH.slice(2), into('hex string without 0x prefix', 'value of type common.Hash')],
  ]);
  refuses('data', dataCodec, [
    ['0x1', into('hex string of odd length', 'value of type hexutil.Bytes')],
    ['0xzz', into('invalid hex string', 'value of type hexutil.Bytes')],
    ['zz', into('hex string without 0x prefix', 'value of type hexutil.Bytes')],
    [true, into('non-string', 'value of type hexutil.Bytes')],
  ]);
  refuses('a quantity', quantityAt(64), [
    [1, into('non-string', 'value of type hexutil.Uint64')],
    ['0x', into('hex string "0x"', 'value of type hexutil.Uint64')],
    ['0x01', into('hex number with leading zero digits', 'value of type hexutil.Uint64')],
    ['0x10000000000000000', into('hex number > 64 bits', 'value of type hexutil.Uint64')],
    ['12', into('hex string without 0x prefix', 'value of type hexutil.Uint64')],
    ['0xg', into('invalid hex string', 'value of type hexutil.Uint64')],
  ]);
  refuses('a big quantity', quantityAt(256), [
    [`0x1${'0'.repeat(64)}`, into('hex number > 256 bits', 'value of type *hexutil.Big')],
  ]);
});

describe('plain values', () => {
  it('read counts as numbers, decimal and hex strings', () => {
    expect([3, '10', '0x10'].map((value) => countCodec.decode(value))).toEqual([3, 10, 16]);
  });
  refuses('a count', countCodec, [
    ['zz', 'invalid hex or decimal integer "zz"'],
    [1.5, 'invalid hex or decimal integer "1.5"'],
    [-1, 'invalid hex or decimal integer "-1"'],
    [true, 'invalid hex or decimal integer "true"'],
    ['0x', 'invalid hex or decimal integer "0x"'],
  ]);
  refuses('a bool', booleanCodec, [
    ['true', into('string', 'value of type bool')],
    [1, into('number', 'value of type bool')],
    [[], into('array', 'value of type bool')],
  ]);
  refuses('percentiles', percentilesCodec, [
    ['10', into('string', 'value of type []float64')],
    [{}, into('object', 'value of type []float64')],
    [[1, '2'], into('string', 'value of type float64')],
    [[true], into('bool', 'value of type float64')],
  ]);
  it('pad storage keys on the left', () => {
    for (const key of ['0x1', '1', '0x01', `0x${'1'.padStart(64, '0')}`]) {
      expect(storageKeyCodec.decode(key)).toEqual(Buffer.from('1'.padStart(64, '0'), 'hex'));
    }
    expect(storageKeyCodec.decode('')).toEqual(Buffer.alloc(32));
  });
  refuses('a storage key', storageKeyCodec, [
    ['0xzz', 'unable to decode storage key: hex string invalid'],
    [1, into('number', 'value of type string')],
    [`0x${'0'.repeat(65)}`, 'unable to decode storage key: hex string too long, want at most 32 bytes'],
  ]);
});

describe('block parameters', () => {
  it.each<[string, number | string]>([
    ['0x0', 0],
    ['0x1b4', 436],
    ['0x7fffffffffffffff', 2 ** 63],
    ...['latest', 'safe', 'finalized', 'pending', 'earliest'].map((tag): [string, string] => [tag, tag]),
  ])('read %s', (value, id) => {
    expect(blockNumberCodec.decode(value)).toBe(id);
    expect(blockIdCodec.decode(value)).toBe(id);
    expect(blockIdCodec.decode({ blockNumber: value })).toBe(id);
  });
  it('read hashes, plain and as an object', () => {
    expect(blockIdCodec.decode(HASH)).toEqual(bytes(HASH));
    expect(blockIdCodec.decode({ blockHash: HASH, requireCanonical: true })).toEqual(bytes(HASH));
  });
  const numbers: Rows = [
    ['1', 'hex string without 0x prefix'],
    ['newest', 'hex string without 0x prefix'],
    ['', 'empty hex string'],
    ['0x', 'hex string "0x"'],
    ['0x01', 'hex number with leading zero digits'],
    ['0x8000000000000000', 'block number larger than int64'],
    ['0x10000000000000000', 'hex number > 64 bits'],
  ];
  refuses('a block number', blockNumberCodec, [
    ...numbers,
    [1, 'hex string without 0x prefix'],
    [{}, 'hex string without 0x prefix'],
  ]);
  refuses('a block id', blockIdCodec, [
    ...numbers,
    [1, into('number', 'value of type string')],
    [[], into('array', 'value of type string')],
    ['a'.repeat(66), 'hex string without 0x prefix'],
    [`0x${'z'.repeat(64)}`, 'invalid hex string'],
    [
      { blockHash: HASH, blockNumber: '0x1' },
      'cannot specify both BlockHash and BlockNumber, choose one or the other',
    ],
    [{ blockHash: '0x12' }, 'hex string has length 2, want 64 for common.Hash'],
    [{}, 'invalid arguments; neither block nor hash specified'],
  ]);
});

describe('call objects', () => {
  it('read every member, prefer input, ignore what they do not know', () => {
    const accessList = [{ address: ADDRESS, storageKeys: [HASH] }];
    const call = { from: ADDRESS, to: null, gas: '0x5', value: '0x1', nonce: '0x2', accessList };
    const decoded = callRequestCodec.decode({ ...call, input: '0x01', data: '0x02', color: 'red' });
    expect(decoded).toMatchObject({
      from: bytes(ADDRESS),
      to: undefined,
      gas: 5n,
      value: 1n,
      nonce: 2n,
      data: Buffer.from([1]),
      accessList: [{ address: bytes(ADDRESS), storageKeys: [bytes(HASH)] }],
    });
    expect(callRequestCodec.decode({ data: '0x02' }).data).toEqual(Buffer.from([2]));
  });
  refuses('a call', callRequestCodec, [
    ['x', into('string', 'value of type ethapi.TransactionArgs')],
    [[], into('array', 'value of type ethapi.TransactionArgs')],
    [
      { to: ADDRESS.slice(2) },
      into('hex string without 0x prefix', 'struct field TransactionArgs.to of type common.Address'),
    ],
    [{ gas: 5 }, into('non-string', 'struct field TransactionArgs.gas of type hexutil.Uint64')],
    [
      { value: '0x00' },
      into('hex number with leading zero digits', 'struct field TransactionArgs.value of type *hexutil.Big'),
    ],
    [
      { data: '0x1' },
      into('hex string of odd length', 'struct field TransactionArgs.data of type hexutil.Bytes'),
    ],
    [{ accessList: {} }, into('object', 'struct field TransactionArgs.accessList')],
    [{ accessList: [{}] }, "missing required field 'address' for AccessTuple"],
    [
      { gasPrice: '0x1', maxFeePerGas: '0x1' },
      'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified',
    ],
  ]);
});

describe('overrides', () => {
  it('read accounts and blocks', () => {
    const account = { balance: '0x1', nonce: '0x2', code: '0x60', stateDiff: { [HASH]: HASH } };
    expect(stateOverridesCodec.decode({ [ADDRESS]: account })).toEqual([
      {
        address: bytes(ADDRESS),
        balance: 1n,
        nonce: 2n,
        code: Buffer.from([0x60]),
        state: undefined,
        stateDiff: [{ slot: bytes(HASH), value: bytes(HASH) }],
        movePrecompileTo: undefined,
      },
    ]);
    expect(blockOverridesCodec.decode({ number: '0x5', baseFeePerGas: '0x6' })).toMatchObject({
      number: 5n,
      baseFee: 6n,
      time: undefined,
    });
  });
  refuses('state', stateOverridesCodec, [
    [[], into('array', 'value of type override.StateOverride')],
    [{ '0x12': {} }, 'hex string has length 2, want 40 for common.Address'],
    [{ [ADDRESS]: 5 }, into('number', 'value of type override.OverrideAccount')],
  ]);
  refuses('a block', blockOverridesCodec, [
    [{ beaconRoot: HASH }, 'block override "beaconRoot" is not supported for this RPC method'],
    [{ withdrawals: [{}] }, 'block override "withdrawals" is not supported for this RPC method'],
  ]);
});

describe('log criteria', () => {
  it('read addresses and topics in all their forms', () => {
    expect(logCriteriaCodec.decode({})).toEqual({
      blockHash: undefined,
      from: undefined,
      to: undefined,
      addresses: [],
      topics: [],
    });
    expect(
      logCriteriaCodec.decode({
        fromBlock: '0x1',
        toBlock: 'latest',
        address: [ADDRESS, ADDRESS],
        topics: [null, HASH, [HASH, HASH], []],
      }),
    ).toMatchObject({
      from: 1,
      to: 'latest',
      addresses: [bytes(ADDRESS), bytes(ADDRESS)],
      topics: [null, [bytes(HASH)], [bytes(HASH), bytes(HASH)], null],
    });
    expect(logCriteriaCodec.decode({ address: ADDRESS, topics: [[HASH, null]] })).toMatchObject({
      addresses: [bytes(ADDRESS)],
      topics: [null],
    });
  });
  const short = 'hex has invalid length 2 after decoding; expected';
  refuses('criteria', logCriteriaCodec, [
    [5, into('number', 'value of type filters.input')],
    [{ fromBlock: '5' }, 'hex string without 0x prefix'],
    [{ blockHash: '0x12' }, 'hex string has length 2, want 64 for common.Hash'],
    [
      { blockHash: HASH.slice(2) },
      into('hex string without 0x prefix', 'struct field input.blockHash of type common.Hash'),
    ],
    [
      { blockHash: HASH, fromBlock: '0x1' },
      'cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other',
    ],
    [
      { blockHash: HASH, toBlock: 'latest' },
      'cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other',
    ],
    [{ address: 5 }, 'invalid addresses in query'],
    [{ address: [5] }, 'non-string address at index 0'],
    [{ address: '0x1234' }, `invalid address: ${short} 20 for address`],
    [{ address: [ADDRESS, '0x1234'] }, `invalid address at index 1: ${short} 20 for address`],
    [{ address: '' }, 'invalid address: empty hex string'],
    [{ address: '12' }, 'invalid address: hex string without 0x prefix'],
    [{ topics: 'x' }, 'invalid topic(s)'],
    [{ topics: [5] }, 'invalid topic(s)'],
    [{ topics: [[5]] }, 'invalid topic(s)'],
    [{ topics: ['0x1234'] }, `${short} 32 for topic`],
    [{ topics: ['0x123'] }, 'hex string of odd length'],
    [{ topics: Array(5).fill(null) }, 'exceed max topics'],
    [{ topics: [Array(1001).fill(HASH)] }, 'exceed max topics'],
  ]);
});
