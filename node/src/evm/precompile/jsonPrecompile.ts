import { hexToBytes } from '../../primitives/index.ts';
import { fixedPrecompile } from './fixedPrecompile.ts';
import { type RawMember, rawMembers } from './jsonMembers.ts';
import { refused } from './precompileError.ts';
import { precompileMethod } from './precompileMethod.ts';

const QUOTE = 0x22;
const GAS_PER_BYTE = 100n;

export const JSON_METHODS = [
  precompileMethod<[Uint8Array, string]>(
    'extractAsBytes(bytes input, string key) view returns (bytes response)',
    ([input, key]) => {
      const value = memberOf(input, key);
      const isText = value.length >= 2 && value[0] === QUOTE && value.at(-1) === QUOTE;
      return [isText ? value.subarray(1, -1) : value];
    },
  ),
  precompileMethod<[Uint8Array, string]>(
    'extractAsBytesList(bytes input, string key) view returns (bytes[] response)',
    ([input, key]) => [membersOf(memberOf(input, key), '[').map(({ value }) => value)],
  ),
  precompileMethod<[Uint8Array, string]>(
    'extractAsUint256(bytes input, string key) view returns (uint256 response)',
    ([input, key]) => {
      const text = Buffer.from(memberOf(input, key))
        .toString('utf8')
        .replace(/^"+|"+$/g, '');
      const value = /^\+?\d+$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
      if (value === undefined || value >= 1n << 256n)
        throw refused(`failed to convert ${text.slice(0, 100)} to uint256`);
      return [value];
    },
  ),
  precompileMethod<[Uint8Array, bigint]>(
    'extractAsBytesFromArray(bytes input, uint16 arrayIndex) view returns (bytes response)',
    ([input, index]) => {
      const item = membersOf(input, '[')[Number(index)];
      if (!item) throw refused(`index ${index} lies behind the end of the array`);
      return [item.value];
    },
  ),
];

/** The precompile 0x…1003 (json-rpc.md §6.4, docs/abi/json.json): values of JSON as their text, texts without quotes. */
export const jsonPrecompile = fixedPrecompile({
  address: hexToBytes('0000000000000000000000000000000000001003'),
  name: 'json',
  methods: JSON_METHODS,
  gas: (bodyBytes) => GAS_PER_BYTE * BigInt(bodyBytes),
});

/** Of several with one key the last counts, as Go reads it. */
function memberOf(input: Uint8Array, key: string): Uint8Array {
  const member = membersOf(input, '{').findLast((one) => one.key === key);
  if (!member) throw refused(`input does not contain key ${key.slice(0, 100)}`);
  return member.value;
}

function membersOf(json: Uint8Array, opening: '{' | '['): RawMember[] {
  try {
    return rawMembers(json, opening);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refused(`the input is no JSON ${opening === '{' ? 'object' : 'array'}`);
  }
}
