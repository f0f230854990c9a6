import { keccak256, padLeft, utf8 } from '../../primitives/index.ts';
import type { EvmLog } from '../../types/index.ts';
import type { AbiValue } from './abi/abiType.ts';
import { encodeAbi } from './abi/encodeAbi.ts';
import type { AbiEvent } from './abi/parseAbi.ts';
import type { PrecompileCall } from './precompileMethod.ts';

/** An event of a precompile as a log. */
export function eventLog(
  { address }: PrecompileCall,
  { topic, inputs }: AbiEvent,
  values: readonly AbiValue[],
): EvmLog {
  const pairs = inputs.map((input, i) => ({ input, value: values[i]! }));
  const indexed = pairs.filter(({ input }) => input.indexed);
  const plain = pairs.filter(({ input }) => !input.indexed);
  return {
    address,
    topics: [topic, ...indexed.map(({ value }) => topicOf(value))],
    data: encodeAbi(
      plain.map(({ input }) => input),
      plain.map(({ value }) => value),
    ),
  };
}

/** An address as a word, a text as its hash. */
function topicOf(value: AbiValue): Uint8Array {
  return value instanceof Uint8Array ? padLeft(value, 32) : keccak256(utf8(value as string));
}
