/** A question to the application, by path: `/store/bank/key`, `/cosmos.bank.v1beta1.Query/Balance`, … */
export interface AbciQuery {
  readonly path: string;
  readonly data: Uint8Array;
  /** 0 is the newest. */
  readonly height: number;
  readonly prove: boolean;
}

/** One operation of a Merkle proof (`tendermint.crypto.ProofOp`). */
export interface ProofOp {
  readonly type: string;
  readonly key: Uint8Array;
  readonly data: Uint8Array;
}

/** `tendermint.abci.ResponseQuery`. */
export interface AbciQueryResult {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly height: number;
  /** From the value to the app hash, lowest first. */
  readonly proof?: readonly ProofOp[];
}
