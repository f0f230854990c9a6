import { hexToBytes } from '../../primitives/index.ts';
import { fixedPrecompile } from './fixedPrecompile.ts';
import { type RawMember, rawMembers } from './jsonMembers.ts';
import { refused } from './precompileError.ts';
import { precompileMethod } from './precompileMethod.ts';

const QUOTE = 0x22;
const UINT256_DIGITS = 78;
const GAS_PER_BYTE = 100n;

export const JSON_METHODS = [
  precompileMethod<[Uint8Array, string]>(
    'extractAsBytes(bytes input, string key) view returns (bytes response)',
    ([input, key]) => [withoutQuotes(memberOf(input, key))],
  ),
  precompileMethod<[Uint8Array, string]>(
    'extractAsBytesList(bytes input, string key) view returns (bytes[] response)',
    ([input, key]) => [membersOf(memberOf(input, key), '[').map(({ value }) => value)],
  ),
  precompileMethod<[Uint8Array, string]>(
    'extractAsUint256(bytes input, string key) view returns (uint256 response)',
    ([input, key]) => {
      const text = trimQuotes(Buffer.from(memberOf(input, key)).toString('utf8'));
      const value = uint256Of(text);
      if (value === undefined) throw refused(`failed to convert ${text.slice(0, 100)} to uint256`);
      return [value];
    },
  ),
  precompileMethod<[Uint8Array, bigint]>(
    'extractAsBytesFromArray(bytes input, uint16 arrayIndex) view returns (bytes response)',
    ([input, index]) => {
      const item = membersOf(input, '[')[Number(index)];
      if (!item) throw refused(`index ${index} lies behind the end of the array`);
      return [withoutQuotes(item.value)];
    },
  ),
];

/** The precompile 0x…1003 (spec L-11, docs/abi/json.json): values of JSON as their text, texts without quotes. */
export const jsonPrecompile = fixedPrecompile({
  address: hexToBytes('0000000000000000000000000000000000001003'),
  name: 'json',
  methods: JSON_METHODS,
  gas: (bodyBytes) => GAS_PER_BYTE * BigInt(bodyBytes),
});

function trimQuotes(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === '"') start++;
  while (end > start && text[end - 1] === '"') end--;
  return text.slice(start, end);
}

/** `undefined` for a text that is no number, or a larger one. */
function uint256Of(text: string): bigint | undefined {
  if (!/^\+?\d+$/.test(text)) return undefined;
  // Without the zeros in front, what is longer is larger: it need not become a number first.
  const digits = text.replace(/^\+?0*/, '');
  if (digits.length > UINT256_DIGITS) return undefined;
  const value = BigInt(digits || '0');
  return value < 1n << 256n ? value : undefined;
}

/** Of several with one key the last counts, as Go reads it. */
function memberOf(input: Uint8Array, key: string): Uint8Array {
  const member = membersOf(input, '{').findLast((one) => one.key === key);
  if (!member) throw refused(`input does not contain key ${key.slice(0, 100)}`);
  return member.value;
}

function withoutQuotes(value: Uint8Array): Uint8Array {
  const isText = value.length >= 2 && value[0] === QUOTE && value.at(-1) === QUOTE;
  return isText ? value.subarray(1, -1) : value;
}

function membersOf(json: Uint8Array, opening: '{' | '['): RawMember[] {
  try {
    return rawMembers(json, opening);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refused(`the input is no JSON ${opening === '{' ? 'object' : 'array'}`);
  }
}
