import { CodedError, isCodedError } from '@chain/platform';
import { bytesToHex } from '../../primitives/index.ts';
import type { KeyRange, KeyValue } from '../../state/view/index.ts';

/** Rows of a range that a job asked for before: plain values, so that they go to a thread with it. */
export interface LoadedRange {
  /** Store, bounds and direction as `nameOf` writes them. */
  readonly name: string;
  /** The first rows of the range, in its order. */
  readonly rows: readonly KeyValue[];
  /** Whether these are all. */
  readonly isWhole: boolean;
}

/** A range, and how many of its rows are not enough. */
export interface MissingRange {
  readonly store: string;
  readonly range: KeyRange;
  readonly held: number;
}

/**
 * The rows of a range out of what was loaded. SS gives ranges asynchronously, execution wants them at once: a job
 * that meets a range which is not there ends with RPC_RANGE_MISSING, and begins again when it is.
 */
export function* rowsLoaded(
  loaded: readonly LoadedRange[],
  store: string,
  range: KeyRange = {},
): Iterable<KeyValue> {
  const name = nameOf(store, range);
  const found = loaded.findLast((one) => one.name === name);
  if (found) yield* found.rows;
  if (!found?.isWhole) throw missing({ store, range, held: found?.rows.length ?? 0 });
}

export function nameOf(store: string, { start, end, reverse }: KeyRange): string {
  const text = (bound: Uint8Array | undefined) => (bound ? bytesToHex(bound) : '');
  return `${store}/${text(start)}/${text(end)}/${reverse === true}`;
}

function missing({ store, range: { start, end, reverse }, held }: MissingRange): CodedError {
  const bounds = { ...(start && { start: bytesToHex(start) }), ...(end && { end: bytesToHex(end) }) };
  return new CodedError('RPC_RANGE_MISSING', `rows of store ${store} are not loaded yet`, {
    fields: { store, ...bounds, reverse: reverse === true, held },
  });
}

/** What a job that ended so was missing; `undefined` for any other error. */
export function missingRangeOf(error: unknown): MissingRange | undefined {
  if (!isCodedError(error, 'RPC_RANGE_MISSING')) return undefined;
  const { store, start, end, reverse, held } = error.fields;
  const bound = (text: typeof start) => (typeof text === 'string' ? Buffer.from(text, 'hex') : undefined);
  const [first, last] = [bound(start), bound(end)];
  const range = { ...(first && { start: first }), ...(last && { end: last }), reverse: reverse === true };
  return { store: String(store), range, held: Number(held) };
}
