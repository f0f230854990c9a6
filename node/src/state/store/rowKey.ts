// Rows of one database. `m`: markers; `h`: the head of a key, so that heads sort as (store, key) do and no key
// interleaves with one it is a prefix of; `i`: keys by the version that superseded what they held before; `p`: pages
// of older versions; `v`: older values too long for a page.
const MARKER = 0x6d;
const HEAD = 0x68;
const SUPERSEDED = 0x69;
const PAGE = 0x70;
const VALUE = 0x76;
const ORDINAL_BYTES = 6;
const PART_BYTES = 4;

/** Row of a marker of the whole database. */
export function markerRow(name: string): Uint8Array {
  return Buffer.concat([Uint8Array.of(MARKER), Buffer.from(name, 'latin1')]);
}

/** All that precedes a key in its head's row: tag, length of the store's name, name. */
export function headPrefix(store: string): Uint8Array {
  const name = Buffer.from(store, 'utf8');
  return Buffer.concat([Uint8Array.of(HEAD, name.length), name]);
}

/** `headPrefix` that remembers: there are few stores and many keys. */
export function headPrefixes(): (store: string) => Uint8Array {
  const known = new Map<string, Uint8Array>();
  return (store) => {
    let prefix = known.get(store);
    if (prefix === undefined) {
      prefix = headPrefix(store);
      known.set(store, prefix);
    }
    return prefix;
  };
}

export function headRow(prefix: Uint8Array, key: Uint8Array): Buffer {
  const row = Buffer.allocUnsafe(prefix.length + key.length);
  row.set(prefix, 0);
  row.set(key, prefix.length);
  return row;
}

/** Row of page `ordinal` of a level (0 = leaves) of the key whose head is at `head`. */
export function pageRow(head: Uint8Array, level: number, ordinal: number): Uint8Array {
  const row = subordinateRow(PAGE, head, 1 + ORDINAL_BYTES);
  row[row.length - 1 - ORDINAL_BYTES] = level;
  row.writeUIntBE(ordinal, row.length - ORDINAL_BYTES, ORDINAL_BYTES);
  return row;
}

/** Row of the value that the key whose head is at `head` got at `version`. */
export function valueRow(head: Uint8Array, version: number): Uint8Array {
  const row = subordinateRow(VALUE, head, ORDINAL_BYTES);
  row.writeUIntBE(version, row.length - ORDINAL_BYTES, ORDINAL_BYTES);
  return row;
}

/** Row that lists keys written at `version` which held something before; `part` tells several of them apart. */
export function supersededRow(version: number, part = 0): Uint8Array {
  const row = Buffer.allocUnsafe(1 + ORDINAL_BYTES + PART_BYTES);
  row[0] = SUPERSEDED;
  row.writeUIntBE(version, 1, ORDINAL_BYTES);
  row.writeUInt32BE(part, 1 + ORDINAL_BYTES);
  return row;
}

export function supersededVersion(row: Uint8Array): number {
  return Buffer.from(row.buffer, row.byteOffset, row.byteLength).readUIntBE(1, ORDINAL_BYTES);
}

/** All heads. */
export const HEAD_ROWS = { start: Uint8Array.of(HEAD), end: Uint8Array.of(HEAD + 1) } as const;
/** All rows that keys own; markers are among them, they are few. */
export const KEY_ROWS = { start: Uint8Array.of(HEAD), end: Uint8Array.of(VALUE + 1) } as const;

// The length goes first, so that rows of different keys cannot meet.
function subordinateRow(tag: number, head: Uint8Array, suffixBytes: number): Buffer {
  const row = Buffer.allocUnsafe(4 + head.length + suffixBytes);
  row.writeUInt32BE(head.length, 0);
  row[0] = tag;
  row.set(head, 4);
  return row;
}
