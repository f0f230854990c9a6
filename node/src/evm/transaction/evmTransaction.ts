/** Types this chain accepts: legacy, EIP-2930, EIP-1559, EIP-7702. Blob transactions (3) are refused. */
export type EvmTransactionType = 0 | 1 | 2 | 4;

/** EIP-2930. `address` 20 bytes, keys 32 bytes. */
export interface AccessListEntry {
  readonly address: Uint8Array;
  readonly storageKeys: readonly Uint8Array[];
}

/** EIP-7702: an account's signed wish to run the code of `address`. */
export interface Authorization {
  readonly chainId: bigint;
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly yParity: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

/** What a sender signs. Amounts in wei. */
export interface UnsignedEvmTransaction {
  readonly type: EvmTransactionType;
  /** `undefined` only on a legacy transaction without replay protection (EIP-155), which is refused later. */
  readonly chainId: bigint | undefined;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** Types 0 and 1 only. */
  readonly gasPrice: bigint | undefined;
  /** The gas price for types 0 and 1. */
  readonly maxFeePerGas: bigint;
  /** The gas price for types 0 and 1. */
  readonly maxPriorityFeePerGas: bigint;
  /** `null` creates a contract. */
  readonly to: Uint8Array | null;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly accessList: readonly AccessListEntry[];
  readonly authorizationList: readonly Authorization[];
}

export interface EvmTransaction extends UnsignedEvmTransaction {
  /** As signed: 27, 28 or 35 + 2 × chain id + parity for type 0, else the parity. */
  readonly v: bigint;
  readonly yParity: 0 | 1;
  readonly r: bigint;
  readonly s: bigint;
  /** keccak256 of `raw`. */
  readonly hash: Uint8Array;
  /** Ethereum encoding: RLP, or type byte ‖ RLP. */
  readonly raw: Uint8Array;
}
