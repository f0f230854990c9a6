import type { AbiParameter, AbiType } from './abiType.ts';
import { typeText } from './abiType.ts';
import type { AbiEvent, AbiFunction } from './parseAbi.ts';

type Json = Readonly<Record<string, unknown>>;

/** Functions and events as Solidity's tools exchange them: an array of objects. */
export function abiJson(functions: readonly AbiFunction[], events: readonly AbiEvent[]): Json[] {
  return [
    ...functions.map(({ name, mutability, inputs, outputs }) => ({
      type: 'function',
      name,
      stateMutability: mutability,
      inputs: inputs.map(parameterJson),
      outputs: outputs.map(parameterJson),
    })),
    ...events.map(({ name, inputs }) => ({
      type: 'event',
      name,
      anonymous: false,
      inputs: inputs.map((input) => ({ ...parameterJson(input), indexed: input.indexed })),
    })),
  ];
}

function parameterJson({ name, type }: AbiParameter): Json {
  const { text, members } = shape(type);
  return { name, type: text, ...(members && { components: members.map(parameterJson) }) };
}

/** Tuples are named as such, with their members beside. */
function shape(type: AbiType): { text: string; members?: readonly AbiParameter[] } {
  if (type.kind === 'tuple') return { text: 'tuple', members: type.members };
  if (type.kind !== 'array') return { text: typeText(type) };
  const { text, members } = shape(type.of);
  return { text: `${text}[]`, ...(members && { members }) };
}
