/** Not in the language's types yet: a number as it was written. */
type NumberText = (
  this: unknown,
  key: string,
  value: unknown,
  context?: { readonly source?: string },
) => unknown;
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** Numbers stay as they were written: a double would change the long ones. */
const asWritten: NumberText = (_key, value, context) =>
  typeof value === 'number' && context?.source !== undefined ? rawJSON(context.source) : value;

/** Those calls of a batch that are wanted, each as text; the body is one that `readCalls` has read. */
export function pickCalls(body: Buffer, isWanted: (index: number) => boolean): string[] {
  const calls = JSON.parse(body.toString('utf8'), asWritten) as unknown[];
  return calls.filter((_, index) => isWanted(index)).map((call) => JSON.stringify(call));
}
