/** The fast tier of a code. */
export interface FastTier {
  readonly isCompiled: boolean;
  /** Goes on with a frame as far as translated code goes; INTERPRET when there is none for where it stands. */
  run(record: number): number;
  /** So much was interpreted. `placed` is where the code lies now. */
  burnt(gas: number, placed: PlacedCode): void;
}

/** Code in linear memory, ready to run. */
export interface PlacedCode {
  /** Equal for equal codes; `undefined` for one that is not expected to run again. */
  readonly key: string | undefined;
  readonly at: number;
  readonly length: number;
  /** A bit a byte of the code: whether a jump may go there. */
  readonly jumpDests: number;
  /** Whom an account with this code delegates to (EIP-7702). */
  readonly delegate: Uint8Array | undefined;
  /** Once it has run. */
  compiled: FastTier | undefined;
}
