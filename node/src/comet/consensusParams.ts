/** The parameters of a genesis document. Durations in nanoseconds; `maxGas: -1n` is no limit. */
export interface ConsensusParams {
  readonly block: { readonly maxBytes: bigint; readonly maxGas: bigint };
  readonly evidence: {
    readonly maxAgeNumBlocks: bigint;
    readonly maxAgeDuration: bigint;
    readonly maxBytes: bigint;
  };
  readonly validator: { readonly pubKeyTypes: readonly string[] };
  readonly version: { readonly app: bigint };
  readonly abci: { readonly voteExtensionsEnableHeight: bigint };
}

/** CometBFT's defaults, but for the gas limit: that of the reference's development network. */
export const DEFAULT_CONSENSUS_PARAMS: ConsensusParams = {
  block: { maxBytes: 22_020_096n, maxGas: 35_000_000n },
  evidence: { maxAgeNumBlocks: 100_000n, maxAgeDuration: 172_800_000_000_000n, maxBytes: 1_048_576n },
  validator: { pubKeyTypes: ['ed25519'] },
  version: { app: 0n },
  abci: { voteExtensionsEnableHeight: 0n },
};
