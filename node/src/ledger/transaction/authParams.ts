/** The SDK's defaults of x/auth. */
export const AUTH_PARAMS = {
  maxMemoCharacters: 256,
  maxSignatures: 7,
  txSizeCostPerByte: 10n,
  secp256k1VerifyCost: 1_000n,
} as const;
