/** Where a key stands in the order in which it may sign; `step`: 1 proposal, 2 prevote, 3 precommit. */
export interface SignPlace {
  readonly height: number;
  readonly round: number;
  readonly step: number;
}

/**
 * What a validator key has signed at least, as somebody outside the home keeps it; `chaind init --sign-floor` reads it as
 * JSON. A home that knows of less would sign a second time.
 */
export interface SignFloor extends SignPlace {
  /** Of the key: 40 hexadecimal digits, lower case. */
  readonly address: string;
  /** A home that knows of less signs nothing up to here, instead of being refused. */
  readonly raise: boolean;
}

export function isBelow(a: SignPlace, b: SignPlace): boolean {
  if (a.height !== b.height) return a.height < b.height;
  return a.round === b.round ? a.step < b.step : a.round < b.round;
}
