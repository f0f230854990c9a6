/** CRC-32C (Castagnoli, RFC 3720) of what lies in memory, sixteen bytes a step. */

/** `TABLES[k][b]`: byte `b` with `k` zero bytes behind it, four bytes each. */
const TABLES: u32 = 0x1000;
const TABLE_BYTES: u32 = 1024;
const SLICES: u32 = 16;
const POLYNOMIAL: u32 = 0x82f63b78;

/** Fills the tables, 16 KiB from 4 KiB on. */
export function prepare(): void {
  for (let byte: u32 = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    store<u32>(TABLES + (byte << 2), crc);
  }
  for (let k: u32 = 1; k < SLICES; k++) {
    for (let byte: u32 = 0; byte < 256; byte++) {
      const crc = load<u32>(TABLES + (k - 1) * TABLE_BYTES + (byte << 2));
      store<u32>(TABLES + k * TABLE_BYTES + (byte << 2), (crc >>> 8) ^ at(0, crc));
    }
  }
}

/** Goes on with `crc`, which begins as all ones and is inverted at the end. */
export function update(crc: u32, from: u32, length: u32): u32 {
  const end = from + length;
  let next = from;
  for (; next + 16 <= end; next += 16) {
    const first = load<u32>(next) ^ crc;
    const second = load<u32>(next, 4);
    const third = load<u32>(next, 8);
    const fourth = load<u32>(next, 12);
    crc = word(12, first) ^ word(8, second) ^ word(4, third) ^ word(0, fourth);
  }
  for (; next < end; next++) crc = at(0, crc ^ load<u8>(next)) ^ (crc >>> 8);
  return crc;
}

/** Four bytes with `behind` bytes behind them. */
// @ts-expect-error: decorator
@inline
function word(behind: u32, value: u32): u32 {
  return (
    at(behind + 3, value) ^ at(behind + 2, value >>> 8) ^ at(behind + 1, value >>> 16) ^ at(behind, value >>> 24)
  );
}

// @ts-expect-error: decorator
@inline
function at(table: u32, byte: u32): u32 {
  return load<u32>(TABLES + table * TABLE_BYTES + ((byte & 0xff) << 2));
}
