/** A CometBFT v0.38 timestamp (UTC). */
export interface BlockTime {
  readonly seconds: bigint;
  readonly nanos: number;
}
