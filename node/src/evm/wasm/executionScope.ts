import type { EvmHost } from '../evmEngine.ts';
import type { Account, Accounts } from './accounts.ts';
import type { Frame } from './frame.ts';
import type { Journal } from './journal.ts';
import type { LinearMemory } from './linearMemory.ts';

/** A call as it will run: who, for whom, with what. */
export interface Call {
  /** Whose storage and balance is used. */
  readonly self: Account;
  readonly caller: Account;
  /** The account that is called: a precompile, or a contract, or one that delegates to it. */
  readonly callee: Account;
  /** Wei that the code sees. */
  readonly value: bigint;
  readonly isStatic: boolean;
  /** By DELEGATECALL or CALLCODE. */
  readonly isDelegated: boolean;
  readonly gas: number;
  readonly inputAt: number;
  readonly inputLength: number;
}

/** What calls and creations need of the execution that they are part of. */
export interface ExecutionScope {
  readonly memory: LinearMemory;
  readonly host: EvmHost;
  readonly journal: Journal;
  readonly accounts: Accounts;
  /** Whether the frame on top is as deep as frames may be. */
  readonly isDeepest: boolean;
  push(frame: Frame): void;
  /** Lets linear memory reach `end`. */
  reserve(end: number): void;
  transfer(from: Uint8Array, to: Uint8Array, wei: bigint): void;
  /** Asks the host now and then whether to go on. */
  countCall(): void;
}
