import { type JsonReviver, parseJson } from '@chain/platform';

/** Not in the language's types yet: a number as it was written. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** Numbers stay as they were written: a double would change the long ones. */
const asWritten: JsonReviver = (_key, value, context) =>
  typeof value === 'number' && context?.source !== undefined ? rawJSON(context.source) : value;

/** Those calls of a batch that are wanted, each as text; the body is one that `readCalls` has read. */
export function pickCalls(body: Buffer, isWanted: (index: number) => boolean): string[] {
  const calls = parseJson(body, { reviver: asWritten }) as unknown[];
  return calls.filter((_, index) => isWanted(index)).map((call) => JSON.stringify(call));
}
