/** What a flat price covers: more than the arguments of any honest call take. */
const COVERED_BYTES = 1_024;
/** The Cosmos SDK's price of reading a byte, which queries pay as well. */
export const READ_BYTE_GAS = 3n;

/** A flat price, and the bytes beyond those that it covers: the work grows with them. */
export function flatGas(base: bigint, bodyBytes: number): bigint {
  const beyond = Math.max(0, bodyBytes - COVERED_BYTES);
  return base + READ_BYTE_GAS * BigInt(beyond);
}
