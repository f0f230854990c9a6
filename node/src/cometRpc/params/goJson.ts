import { parseJson } from '@chain/platform';
import { invalidParams } from '../rpcFailure.ts';

/** Parses JSON; what is wrong is said in the words of Go's decoder. */
export function parseGoJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw invalidParams(goSyntaxError(text));
  }
}

/** The text for the commonest faults: no value where one must begin, and an end too soon. */
export function goSyntaxError(text: string): string {
  const begin = text.trimStart();
  if (begin === '') return 'unexpected end of JSON input';
  const [first = ''] = begin;
  if (first === '{') {
    const [next] = begin.slice(1).trimStart();
    if (next === undefined) return 'unexpected end of JSON input';
    if (next !== '"' && next !== '}')
      return `invalid character '${next}' looking for beginning of object key string`;
  }
  if (!/["[{\-\dtfn]/.test(first)) return `invalid character '${first}' looking for beginning of value`;
  return 'unexpected end of JSON input';
}

/** How Go's decoder names a JSON value of the wrong kind. */
export function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

export function wrongKind(value: unknown, goType: string): Error {
  return invalidParams(`json: cannot unmarshal ${goKind(value)} into Go value of type ${goType}`);
}
