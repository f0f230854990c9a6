import { maskedCrc32c } from './crc32c.ts';
import { unsnappy, varintAt } from './unsnappy.ts';

const FOOTER_BYTES = 48;
/** kTableMagicNumber, little-endian. */
const MAGIC = Buffer.from('57fb808b247547db', 'hex');
const PLAIN = 0;
const SNAPPY = 1;

interface BlockHandle {
  readonly offset: number;
  readonly size: number;
}

/** Where a table of LevelDB is damaged: the offset of the first bad block; `undefined` when every block is whole. */
export function damageInTable(file: Buffer): number | undefined {
  const footer = file.length - FOOTER_BYTES;
  if (footer < 0 || !file.subarray(-MAGIC.length).equals(MAGIC)) return Math.max(0, footer);
  const meta = handleAt(file, footer);
  const index = meta && handleAt(file, meta.next);
  if (!meta || !index) return footer;
  for (const handle of [meta.handle, index.handle]) {
    const inner = handlesIn(file, handle);
    if (inner === undefined) return handle.offset;
    for (const block of inner) if (!isWhole(file, block)) return block.offset;
  }
  return undefined;
}

/** Behind each block: how it is packed, and a CRC-32C of both. */
function isWhole(file: Buffer, { offset, size }: BlockHandle): boolean {
  const end = offset + size + 1;
  return end + 4 <= file.length && maskedCrc32c(file, offset, end) === file.readUInt32LE(end);
}

/** The handles that a block of handles holds; `undefined` when it is damaged. */
function handlesIn(file: Buffer, block: BlockHandle): BlockHandle[] | undefined {
  if (!isWhole(file, block)) return undefined;
  const stored = file.subarray(block.offset, block.offset + block.size);
  const kind = file[block.offset + block.size];
  const rows = kind === PLAIN ? stored : kind === SNAPPY ? unsnappy(stored) : undefined;
  return rows && rows.length >= 4 ? readHandles(rows) : undefined;
}

/** Rows: uvarint shared ‖ uvarint rest of the key ‖ uvarint value length ‖ key ‖ value; restarts and their count behind. */
function readHandles(rows: Uint8Array): BlockHandle[] | undefined {
  const restarts = Buffer.from(rows.buffer, rows.byteOffset, rows.length).readUInt32LE(rows.length - 4);
  const end = rows.length - 4 * (restarts + 1);
  const handles: BlockHandle[] = [];
  for (let at = 0; at < end; ) {
    const shared = varintAt(rows, at);
    const rest = shared && varintAt(rows, shared.next);
    const length = rest && varintAt(rows, rest.next);
    const value = length && handleAt(rows, length.next + rest.value);
    if (!value) return undefined;
    handles.push(value.handle);
    at = length.next + rest.value + length.value;
  }
  return handles;
}

function handleAt(bytes: Uint8Array, at: number): { handle: BlockHandle; next: number } | undefined {
  const offset = varintAt(bytes, at);
  const size = offset && varintAt(bytes, offset.next);
  return size && { handle: { offset: offset.value, size: size.value }, next: size.next };
}
