import { CodedError } from '@chain/platform';
import { bytesToHex, bytesToUint64, isZero } from '../../../primitives/index.ts';
import type { RowKind } from './physicalKey.ts';

/** Format byte and the height of the last write (spec S-14). */
const HEADER_BYTES = 9;
const FORMAT = 0;
const NONCE_AT = HEADER_BYTES + 32;
const CODE_HASH_AT = NONCE_AT + 8;
const FULL_BYTES = CODE_HASH_AT + 32;
const WORD_BYTES: Readonly<Partial<Record<RowKind, number>>> = { nonce: 8, codeHash: 32, storage: 32 };

function encodeRow(height: number, payload: Uint8Array): Uint8Array {
  const row = new Uint8Array(HEADER_BYTES + payload.length);
  new DataView(row.buffer).setBigUint64(1, BigInt(height));
  row[0] = FORMAT;
  row.set(payload, HEADER_BYTES);
  return row;
}

/** Throws FLATKV_ROW_FORMAT for a row of another format. */
export function rowPayload(row: Uint8Array): Uint8Array {
  if (row.length >= HEADER_BYTES && row[0] === FORMAT) return row.subarray(HEADER_BYTES);
  throw new CodedError(
    'FLATKV_ROW_FORMAT',
    `a FlatKV row of ${row.length} bytes has format ${row[0]}, this program reads ${FORMAT}; remove data/flatkv, the next start rebuilds it`,
    { fields: { format: row[0], bytes: row.length } },
  );
}

/** The parts of an account's payload. Throws FLATKV_ROW_FORMAT for another length. */
export function accountFields(payload: Uint8Array): {
  readonly nonce: Uint8Array;
  readonly codeHash: Uint8Array | undefined;
} {
  const full = payload.length === FULL_BYTES - HEADER_BYTES;
  if (!full && payload.length !== CODE_HASH_AT - HEADER_BYTES) {
    throw new CodedError(
      'FLATKV_ROW_FORMAT',
      `a FlatKV account has ${payload.length} bytes; it must have 40, or 72 with a code hash`,
      { fields: { bytes: payload.length } },
    );
  }
  return {
    nonce: payload.subarray(NONCE_AT - HEADER_BYTES, CODE_HASH_AT - HEADER_BYTES),
    codeHash: full ? payload.subarray(CODE_HASH_AT - HEADER_BYTES) : undefined,
  };
}

/** When the row was last written. */
export function rowHeight(row: Uint8Array): bigint {
  return bytesToUint64(row.subarray(1, HEADER_BYTES));
}

/** What of an account a block may write; `undefined` = untouched. */
export interface AccountWrite {
  readonly nonce?: Uint8Array;
  readonly codeHash?: Uint8Array;
}

export const ZERO_NONCE = new Uint8Array(8);
export const ZERO_HASH = new Uint8Array(32);

/**
 * An account's row with the write in it; `undefined` when nothing is left of the account. The code hash is left
 * out while it is zero. The balance is carried along: the ledger keeps balances in its own store.
 */
export function mergeAccount(
  before: Uint8Array | undefined,
  { nonce, codeHash }: AccountWrite,
  height: number,
): Uint8Array | undefined {
  const payload = new Uint8Array(FULL_BYTES - HEADER_BYTES);
  if (before) payload.set(rowPayload(before));
  if (nonce) payload.set(nonce, NONCE_AT - HEADER_BYTES);
  if (codeHash) payload.set(codeHash, CODE_HASH_AT - HEADER_BYTES);
  if (isZero(payload)) return undefined;
  const compact = isZero(payload.subarray(CODE_HASH_AT - HEADER_BYTES));
  return encodeRow(height, compact ? payload.subarray(0, CODE_HASH_AT - HEADER_BYTES) : payload);
}

/** What the row of a single value becomes; `undefined` when there is none. `null` is a delete. */
export function singleRow(kind: RowKind, value: Uint8Array | null, height: number): Uint8Array | undefined {
  if (value === null) return undefined;
  if (kind === 'storage' && isZero(value)) return undefined;
  if (kind === 'code' && value.length === 0) return undefined;
  return encodeRow(height, value);
}

/** Throws FLATKV_VALUE_LENGTH: nonces have 8 bytes, code hashes and storage values 32. */
export function requireValue(kind: RowKind, key: Uint8Array, value: Uint8Array | null): void {
  const expected = WORD_BYTES[kind];
  if (value === null || expected === undefined || value.length === expected) return;
  throw new CodedError(
    'FLATKV_VALUE_LENGTH',
    `${kind} at key 0x${bytesToHex(key)} has ${value.length} bytes, it must have ${expected}; the block was made by a faulty program`,
    { fields: { kind, key: bytesToHex(key), bytes: value.length, expected } },
  );
}
