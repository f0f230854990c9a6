export interface QueryAnswer {
  /** The height whose state was read. */
  readonly height: number;
  readonly bytes: Uint8Array;
}
