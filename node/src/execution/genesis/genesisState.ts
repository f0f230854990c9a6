import type { ForkStage } from '../../evm/index.ts';
import type { DenominationMetadata, GenesisValidator, ValidatorParams } from '../../ledger/index.ts';
import type { BlockTime } from '../../types/index.ts';
import type { FeeParameters } from '../feeMarket/feeParameters.ts';

/** The application's state before the first block, parsed. Addresses are 20 bytes. */
export interface GenesisState {
  readonly evmChainId: bigint;
  readonly feeParameters: FeeParameters;
  /** Empty: the rules are the usual ones from the first block on. */
  readonly forks: readonly ForkStage[];
  readonly contracts: readonly GenesisContract[];
  readonly balances: readonly GenesisBalance[];
  readonly denominations: readonly DenominationMetadata[];
  readonly associations: readonly GenesisAssociation[];
  /** A chain without staking has none. */
  readonly staking?: GenesisStaking | undefined;
  /** What the document says of the chain, which genesis transactions are signed for. */
  readonly origin: GenesisOrigin;
}

export interface GenesisOrigin {
  readonly chainId: string;
  readonly time: BlockTime;
}

export interface GenesisStaking {
  readonly validators: readonly GenesisValidator[];
  readonly params: ValidatorParams;
  /** Signed `TxRaw` bytes that create further validators. */
  readonly transactions: readonly Uint8Array[];
}

/** An EVM account with a nonce, and with code and storage when it is a contract. Slots and values 32 bytes. */
export interface GenesisContract {
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly code: Uint8Array;
  readonly storage: readonly { readonly slot: Uint8Array; readonly value: Uint8Array }[];
}

export interface GenesisBalance {
  readonly address: Uint8Array;
  /** Whether `address` is an EVM address (credited to its associated account) or a chain account. */
  readonly kind: 'evm' | 'chain';
  readonly wei: bigint;
  /** Denominations other than the base one, whole units. */
  readonly coins: readonly { readonly denomination: string; readonly amount: bigint }[];
}

export interface GenesisAssociation {
  readonly evmAddress: Uint8Array;
  readonly chainAddress: Uint8Array;
  /** Compressed, 33 bytes. */
  readonly publicKey?: Uint8Array;
}

/** A denomination as the Cosmos SDK's genesis describes it. */
export interface GenesisMetadataJson {
  readonly description?: string;
  /** Ascending; the first one is the base with exponent 0. */
  readonly denom_units: readonly {
    readonly denom: string;
    readonly exponent: number;
    readonly aliases?: readonly string[];
  }[];
  readonly base: string;
  readonly display: string;
  readonly name: string;
  readonly symbol: string;
  readonly uri?: string;
  readonly uri_hash?: string;
}

/** The same as JSON: `app_state` of genesis.json. Amounts are decimal strings, bytes 0x-prefixed hex. */
export interface GenesisJson {
  readonly evm: {
    readonly chain_id: string;
    readonly params: Readonly<Record<string, string>>;
    /** By fork the height that it begins at; one begins at "0". */
    readonly forks?: Readonly<Record<string, string>>;
    readonly accounts: readonly {
      readonly address: string;
      readonly nonce?: string;
      readonly code?: string;
      readonly storage?: Readonly<Record<string, string>>;
    }[];
  };
  readonly bank: {
    readonly balances: readonly {
      /** bech32 (`chain1…`) or 0x-prefixed EVM address. */
      readonly address: string;
      readonly wei?: string;
      readonly coins?: readonly { readonly denom: string; readonly amount: string }[];
    }[];
    readonly denom_metadata?: readonly GenesisMetadataJson[];
  };
  /** With the SDK's parameters; what is missing has the SDK's default. */
  readonly staking?: {
    readonly params?: Readonly<Record<string, unknown>>;
    readonly unbonding_seconds?: string;
    readonly validators?: readonly {
      /** bech32 (`chain1…`) of the operator's account. */
      readonly operator: string;
      /** Ed25519, 0x-prefixed hex. */
      readonly consensus_key: string;
      readonly moniker: string;
      /** What the operator has staked, in the base denomination. */
      readonly units: string;
    }[];
  };
  readonly distribution?: { readonly params?: Readonly<Record<string, unknown>> };
  readonly slashing?: { readonly params?: Readonly<Record<string, unknown>> };
  /** Transactions that create validators: the SDK's JSON, or base64 of `TxRaw`. */
  readonly genutil?: { readonly gen_txs?: readonly unknown[] };
  readonly auth: {
    readonly associations: readonly {
      readonly evm_address: string;
      readonly chain_address: string;
      readonly public_key?: string;
    }[];
  };
}
