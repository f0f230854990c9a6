import type { BatchOperation, KeyValueDb } from '../../../db/index.ts';
import { putUvarint, uvarintLength } from '../../../primitives/index.ts';
import { ByteCursor } from '../byteCursor.ts';
import { supersededRow, supersededVersion } from '../rowKey.ts';

// Value of a row: for each head `uvarint length ‖ row of the head`. A key written at version v whose history began
// before v has something to drop once the floor is at v: so a prune reads what is listed up to the floor, and an
// idle store costs it nothing.

/** Heads by the version that superseded what they held. */
export class SupersededHeads {
  readonly #byVersion = new Map<number, Uint8Array[]>();

  add(version: number, head: Uint8Array): void {
    const heads = this.#byVersion.get(version);
    if (heads === undefined) this.#byVersion.set(version, [head]);
    else heads.push(head);
  }

  /** One row a version; `part` keeps rows of one version apart that are written at different times. */
  operations(part = 0): BatchOperation[] {
    return [...this.#byVersion].map(([version, heads]) => ({
      type: 'put',
      key: supersededRow(version, part),
      value: encodeHeads(heads),
    }));
  }
}

function encodeHeads(heads: readonly Uint8Array[]): Uint8Array {
  let size = 0;
  for (const head of heads) size += uvarintLength(head.length) + head.length;
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const head of heads) {
    at = putUvarint(bytes, at, head.length);
    bytes.set(head, at);
    at += head.length;
  }
  return bytes;
}

export interface SupersededRow {
  readonly row: Uint8Array;
  readonly heads: Iterable<Uint8Array>;
}

/** Rows of the versions from `from` to `to`, oldest first. */
export async function* supersededBetween(
  db: KeyValueDb,
  from: number,
  to: number,
): AsyncGenerator<SupersededRow & { readonly version: number; readonly bytes: number }> {
  for await (const [row, value] of db.iterate({ start: supersededRow(from), end: supersededRow(to + 1) })) {
    const bytes = row.length + value.length;
    yield { row, version: supersededVersion(row), bytes, heads: decodeHeads(value) };
  }
}

function* decodeHeads(bytes: Uint8Array): Iterable<Uint8Array> {
  const cursor = new ByteCursor(bytes);
  while (cursor.offset < bytes.length) {
    const length = cursor.uvarint();
    cursor.offset += length;
    yield bytes.subarray(cursor.offset - length, cursor.offset);
  }
}
