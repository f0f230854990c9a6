/** Objects of JSON-RPC, with the members that pages show. Hex as it comes. */
export interface RpcBlock {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly stateRoot: string;
  readonly miner: string;
  readonly timestamp: string;
  readonly gasUsed: string;
  readonly gasLimit: string;
  readonly baseFeePerGas?: string;
  readonly size: string;
  /** Objects where they were asked for. */
  readonly transactions: readonly (RpcTransaction | string)[];
}

export interface RpcTransaction {
  readonly hash: string;
  readonly blockNumber: string | null;
  readonly blockHash: string | null;
  readonly transactionIndex: string | null;
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
  readonly nonce: string;
  readonly gas: string;
  readonly gasPrice?: string;
  readonly maxFeePerGas?: string;
  readonly maxPriorityFeePerGas?: string;
  readonly type: string;
  readonly input: string;
}

export interface RpcLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly logIndex: string;
  readonly transactionHash: string;
  readonly blockNumber: string;
}

export interface RpcReceipt {
  readonly status: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  readonly contractAddress: string | null;
  readonly logs: readonly RpcLog[];
}

/** A frame of `callTracer`. */
export interface CallFrame {
  readonly type: string;
  readonly from: string;
  readonly to?: string;
  readonly value?: string;
  readonly gas: string;
  readonly gasUsed: string;
  readonly input: string;
  readonly output?: string;
  readonly error?: string;
  readonly revertReason?: string;
  readonly calls?: readonly CallFrame[];
}

/** An account of `prestateTracer`; in `post` of a diff only what changed is there. */
export interface PrestateAccount {
  readonly balance?: string;
  readonly nonce?: number;
  readonly code?: string;
  readonly storage?: Readonly<Record<string, string>>;
}

export interface PrestateDiff {
  readonly pre: Readonly<Record<string, PrestateAccount>>;
  readonly post: Readonly<Record<string, PrestateAccount>>;
}
