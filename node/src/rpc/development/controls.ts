import type { StateEdit } from '../../evm/index.ts';
import type { BlockRecord } from '../../types/index.ts';

/** An account whose key the node holds. Address 20 bytes, key 32. */
export interface HostedAccount {
  readonly evmAddress: Uint8Array;
  /** Known to the world. */
  readonly privateKey: Uint8Array;
}

/** What tools may do to a development home beside sending transactions. Times in milliseconds. */
export interface DevelopmentControls {
  readonly accounts: readonly HostedAccount[];
  /** A block at once, with what the mempool has. */
  mine(): Promise<BlockRecord>;
  /** Changes state in a block of its own; resolves once it can be read. */
  edit(...edits: readonly StateEdit[]): Promise<void>;
  /** The next block gets exactly this time, and those behind it go on from there. Throws CONSENSUS_TIME_NOT_LATER. */
  setNextBlockTime(milliseconds: number): void;
  /** Moves the chain's clock; gives how far it is now from the machine's. */
  moveClock(milliseconds: number): number;
  /** 0: a block for each transaction; `Infinity`: only when asked. */
  readonly blockTimeMs: number;
  setBlockTime(milliseconds: number): void;
  /** Remembers the state as it is; gives its id. */
  snapshot(): Promise<number>;
  /**
   * Takes back the blocks since, sets the clock back and empties the mempool; false when there is no such snapshot any
   * more. Throws CHAIN_CANNOT_GO_BACK.
   */
  revert(id: number): Promise<boolean>;
  /** Takes back all blocks but the first, and empties the mempool. Throws CHAIN_CANNOT_GO_BACK. */
  reset(): Promise<void>;
  /** Each block gets the time of the one before and so much; `undefined`: what the clock says. */
  setTimeStep(milliseconds: number | undefined): void;
  /** Takes a transaction out of the mempool, by its EVM hash; false when it is not there. */
  dropTransaction(hash: Uint8Array): boolean;
  /** Takes out all of one sender, or of everyone. */
  dropTransactions(sender?: Uint8Array): void;
  /** Resolves when the blocks that are under way are made. */
  settled(): Promise<void>;
}
