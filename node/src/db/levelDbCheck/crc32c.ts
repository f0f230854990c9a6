const TABLES = makeTables();
const MASK_DELTA = 0xa282ead8;

/** `TABLES[k][b]`: byte `b` with `k` zero bytes behind it, so that four bytes are taken in one step. */
function makeTables(): readonly Uint32Array[] {
  const first = Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
    return crc >>> 0;
  });
  const tables = [first];
  for (let k = 1; k < 4; k++) tables.push(tables[k - 1]!.map((crc) => (crc >>> 8) ^ first[crc & 0xff]!));
  return tables;
}

/** CRC-32C (Castagnoli) of `bytes[start … end)`, masked as LevelDB stores it. */
export function maskedCrc32c(bytes: Uint8Array, start: number, end: number): number {
  const [zero, one, two, three] = TABLES as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  let crc = 0xffffffff;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc = three[crc & 0xff]! ^ two[(crc >>> 8) & 0xff]! ^ one[(crc >>> 16) & 0xff]! ^ zero[crc >>> 24]!;
  }
  for (; at < end; at++) crc = zero[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8);
  crc = ~crc >>> 0;
  return ((((crc >>> 15) | (crc << 17)) >>> 0) + MASK_DELTA) >>> 0;
}
