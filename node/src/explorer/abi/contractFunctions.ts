import { parseJson } from '@chain/platform';
import { type FunctionFragment, Interface, type ParamType } from 'ethers';
import { pageFailure } from '../chain/pageFailure.ts';

/**
 * Call data from what a form holds, one text for each input: numbers and hex as they are, lists and tuples as JSON.
 * Throws EXPLORER_NOT_SHOWN for a text that is no value of its type.
 */
export function encodeCall(fragment: FunctionFragment, texts: readonly string[]): string {
  const values = fragment.inputs.map((input, i) => valueFrom(input, (texts[i] ?? '').trim()));
  try {
    return new Interface([fragment]).encodeFunctionData(fragment, values);
  } catch (error) {
    const reason = (error as { readonly shortMessage?: string }).shortMessage ?? 'the values do not fit';
    throw pageFailure(400, `${fragment.format('sighash')} takes other values: ${reason}`);
  }
}

export function isView({ stateMutability }: FunctionFragment): boolean {
  return stateMutability === 'view' || stateMutability === 'pure';
}

function valueFrom({ type, name, baseType }: ParamType, text: string): unknown {
  if (type === 'bool') return text === 'true' || text === '1';
  if (baseType !== 'array' && baseType !== 'tuple') return text;
  try {
    return parseJson(text);
  } catch {
    throw pageFailure(400, `${name || type} wants a JSON array, such as ["1", "2"].`);
  }
}

export type { FunctionFragment } from 'ethers';
