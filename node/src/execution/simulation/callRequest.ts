import type { AccessListEntry, Authorization, EvmTracer, Interrupt } from '../../evm/index.ts';

/** What eth_call and eth_estimateGas take (spec R-13). Amounts in wei, addresses 20 bytes. */
export interface CallRequest {
  /** The zero address when absent. */
  readonly from?: Uint8Array | undefined;
  /** Creates a contract when absent. */
  readonly to?: Uint8Array | null | undefined;
  readonly gas?: bigint | undefined;
  readonly gasPrice?: bigint | undefined;
  readonly maxFeePerGas?: bigint | undefined;
  readonly maxPriorityFeePerGas?: bigint | undefined;
  readonly value?: bigint | undefined;
  /** Accepted and ignored: nonces are not checked. */
  readonly nonce?: bigint | undefined;
  readonly data?: Uint8Array | undefined;
  readonly accessList?: readonly AccessListEntry[] | undefined;
  readonly authorizationList?: readonly Authorization[] | undefined;
}

/** State that a simulation pretends. `state` replaces all storage, `stateDiff` only what it names. */
export interface AccountOverride {
  readonly address: Uint8Array;
  readonly balance?: bigint | undefined;
  readonly nonce?: bigint | undefined;
  readonly code?: Uint8Array | undefined;
  readonly state?: readonly StorageOverride[] | undefined;
  readonly stateDiff?: readonly StorageOverride[] | undefined;
  /** Of a precompile, this chain's or a standard one. */
  readonly movePrecompileTo?: Uint8Array | undefined;
}

/** 32 bytes each. */
export interface StorageOverride {
  readonly slot: Uint8Array;
  readonly value: Uint8Array;
}

/** Block values that a simulation pretends. `time` in seconds, `baseFee` in wei. */
export interface BlockOverrides {
  readonly number?: bigint | undefined;
  readonly time?: bigint | undefined;
  readonly gasLimit?: bigint | undefined;
  readonly feeRecipient?: Uint8Array | undefined;
  readonly prevRandao?: Uint8Array | undefined;
  readonly baseFee?: bigint | undefined;
  readonly blobBaseFee?: bigint | undefined;
}

export interface CallOptions {
  readonly stateOverrides?: readonly AccountOverride[] | undefined;
  readonly blockOverrides?: BlockOverrides | undefined;
  /** Most gas that a simulation may have; 0 is no cap. The execution's own cap when absent. */
  readonly gasCap?: bigint | undefined;
  /** Requests run before, on the same state, each with what the ones before left. */
  readonly priorCalls?: readonly CallRequest[] | undefined;
  readonly wantsTouched?: boolean | undefined;
  readonly tracer?: EvmTracer | undefined;
  /** Asked before each message, where each has a tracer of its own. */
  readonly tracerFor?: (() => EvmTracer | undefined) | undefined;
  /** Wall time. */
  readonly timeoutMs?: number | undefined;
  /** See `EvmHost.interrupt`. */
  readonly interrupt?: Interrupt | undefined;
  /** See `EvmHost.onBurn`. */
  readonly onBurn?: ((gas: number) => void) | undefined;
}
