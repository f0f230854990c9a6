import { compareBytes } from '../../../primitives/index.ts';
import { EVM_PREFIX, STORE } from '../../schema/index.ts';
import type { KeyRange, RangeReads } from '../../view/index.ts';
import { type DatabaseName, kindOf, physicalKeyOf, type RowKind } from '../rows/physicalKey.ts';
import { mergeAccount, rowPayload, singleRow } from '../rows/rowValue.ts';

/** A physical key and its value without the header: when a row was last written is not in SC. */
export interface ExpectedRow {
  readonly key: Uint8Array;
  readonly payload: Uint8Array;
}

type LogicalRow = readonly [key: Uint8Array, value: Uint8Array];

/** The rows that a database must have for a state, in the order of their keys. */
export function expectedRows(
  database: DatabaseName,
  stores: readonly string[],
  state: RangeReads,
): Iterable<ExpectedRow> {
  switch (database) {
    case 'account':
      return accountRows(stores, state);
    case 'code':
      return evmRows(stores, state, { kind: 'code', range: family(EVM_PREFIX.code) });
    case 'storage':
      return evmRows(stores, state, { kind: 'storage', range: family(EVM_PREFIX.storage) });
    case 'misc':
      return miscRows(stores, state);
  }
}

function* evmRows(
  stores: readonly string[],
  state: RangeReads,
  { kind, range }: { readonly kind: RowKind; readonly range: KeyRange },
): Iterable<ExpectedRow> {
  if (!stores.includes(STORE.evm)) return;
  for (const [key, value] of ofKind(state, kind, range)) yield* single(kind, STORE.evm, [key, value]);
}

function* miscRows(stores: readonly string[], state: RangeReads): Iterable<ExpectedRow> {
  const inOrder = [...stores].sort((a, b) => compareBytes(Buffer.from(`${a}/`), Buffer.from(`${b}/`)));
  for (const store of inOrder) {
    for (const [key, value] of state.iterate(store)) {
      if (kindOf(store, key) === 'misc') yield* single('misc', store, [key, value]);
    }
  }
}

/** Code hashes and nonces are two ranges in the same order of addresses; an account may be in either. */
function* accountRows(stores: readonly string[], state: RangeReads): Iterable<ExpectedRow> {
  if (!stores.includes(STORE.evm)) return;
  const hashes = ofKind(state, 'codeHash', family(EVM_PREFIX.codeHash))[Symbol.iterator]();
  const nonces = ofKind(state, 'nonce', family(EVM_PREFIX.nonce))[Symbol.iterator]();
  let hash = hashes.next();
  let nonce = nonces.next();
  while (!hash.done || !nonce.done) {
    const order = addressOrder(hash, nonce);
    const parts = {
      ...(order <= 0 && { codeHash: (hash.value as LogicalRow)[1] }),
      ...(order >= 0 && { nonce: (nonce.value as LogicalRow)[1] }),
    };
    const [key] = (order <= 0 ? hash : nonce).value as LogicalRow;
    const row = mergeAccount(undefined, parts, 0);
    if (row) yield { key: physicalKeyOf(STORE.evm, key, 'codeHash'), payload: rowPayload(row) };
    if (order <= 0) hash = hashes.next();
    if (order >= 0) nonce = nonces.next();
  }
}

function addressOrder(hash: IteratorResult<LogicalRow>, nonce: IteratorResult<LogicalRow>): number {
  if (hash.done) return 1;
  if (nonce.done) return -1;
  return compareBytes(hash.value[0].subarray(1), nonce.value[0].subarray(1));
}

function* ofKind(state: RangeReads, kind: RowKind, range: KeyRange): Iterable<LogicalRow> {
  for (const row of state.iterate(STORE.evm, range)) if (kindOf(STORE.evm, row[0]) === kind) yield row;
}

function* single(kind: RowKind, store: string, [key, value]: LogicalRow): Iterable<ExpectedRow> {
  const row = singleRow(kind, value, 0);
  if (row) yield { key: physicalKeyOf(store, key, kind), payload: rowPayload(row) };
}

function family(firstByte: number): KeyRange {
  return { start: Uint8Array.of(firstByte), end: Uint8Array.of(firstByte + 1) };
}
