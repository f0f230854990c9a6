const LAST_STANDARD_PRECOMPILE = 0x11;

/** Ethereum's own precompiles at Prague: 0x01 to 0x11. */
export function isStandardPrecompile(address: Uint8Array): boolean {
  const last = address[19]!;
  if (last < 1 || last > LAST_STANDARD_PRECOMPILE) return false;
  for (let i = 0; i < 19; i++) if (address[i] !== 0) return false;
  return true;
}

/** The addresses 0x01 to 0x11, warm from the start of every transaction (EIP-2929). */
export const STANDARD_PRECOMPILE_ADDRESSES: readonly Uint8Array[] = Array.from(
  { length: LAST_STANDARD_PRECOMPILE },
  (_, i) => Uint8Array.from({ length: 20 }, (_, at) => (at === 19 ? i + 1 : 0)),
);
