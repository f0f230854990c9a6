import type { EvmFork } from './fork/evmFork.ts';

/** How a frame came to be: the opcode that opened it, or the transaction itself (CALL, CREATE). */
export type FrameKind =
  | 'CALL'
  | 'CALLCODE'
  | 'DELEGATECALL'
  | 'STATICCALL'
  | 'CREATE'
  | 'CREATE2'
  | 'SELFDESTRUCT';

/** State as it is when a callback runs. Addresses 20 bytes, slots and words 32; amounts in wei. */
export interface TracedState {
  balance(address: Uint8Array): bigint;
  nonce(address: Uint8Array): bigint;
  code(address: Uint8Array): Uint8Array;
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array;
  isEmpty(address: Uint8Array): boolean;
}

/** A transaction before anything of it has happened: no gas is bought, no nonce has moved. */
export interface TracedTransaction {
  readonly state: TracedState;
  readonly fork: EvmFork;
  readonly sender: Uint8Array;
  /** `null` creates a contract. */
  readonly to: Uint8Array | null;
  readonly data: Uint8Array;
  readonly value: bigint;
  readonly gasLimit: bigint;
  readonly gasPrice: bigint;
  readonly coinbase: Uint8Array;
  readonly blockNumber: bigint;
  /** Who signed its authorizations, as far as the signatures are good. */
  readonly authorities: readonly Uint8Array[];
}

/** A frame at its start. `depth` is 0 for the transaction's own frame. */
export interface TracedFrame {
  readonly kind: FrameKind;
  readonly depth: number;
  readonly from: Uint8Array;
  /** The callee whose code runs, the new address of a creation, or who gets a destroyed account's balance. */
  readonly to: Uint8Array;
  /** Call data or init code. */
  readonly input: Uint8Array;
  readonly gas: bigint;
  /** A delegate call shows its caller's; a static call has none. */
  readonly value: bigint | undefined;
}

/** A frame at its end. */
export interface TracedOutcome {
  readonly depth: number;
  readonly output: Uint8Array;
  readonly gasUsed: bigint;
  /** In geth's words; `undefined` on success. */
  readonly error: string | undefined;
}

/**
 * One opcode, before it runs. Stack, memory and return data are made when they are read, which must be in the
 * callback or in the `onFault` behind it; what was read is the tracer's to keep.
 */
export interface TracedStep {
  /** 1 in the transaction's own frame. */
  readonly depth: number;
  readonly programCounter: number;
  readonly opcode: number;
  readonly gas: bigint;
  readonly gasCost: bigint;
  readonly refund: bigint;
  /** Account whose storage is used, 20 bytes. */
  readonly address: Uint8Array;
  /** Bottom first. */
  readonly stack: readonly bigint[];
  readonly memory: Uint8Array;
  /** What the frame's last call gave back. */
  readonly returnData: Uint8Array;
  /** Why the opcode cannot run (stack, gas), in geth's words. A fault inside it shows in the outcome alone. */
  readonly error: string | undefined;
}

/**
 * What an opcode that can be paid looks at, before it does: a slot that it reads or writes, another account that it
 * asks of, or any that it calls, a contract that it creates, the account that destroys itself for its heir.
 */
export type TracedLook =
  | { readonly kind: 'slot'; readonly address: Uint8Array; readonly slot: Uint8Array }
  | { readonly kind: 'account' | 'call' | 'creation'; readonly address: Uint8Array }
  | { readonly kind: 'destruction'; readonly address: Uint8Array; readonly heir: Uint8Array };

export interface TracedLog {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/**
 * Watches an execution. Callbacks are synchronous and must not write to the state; what one throws ends the
 * execution. `onEnd` follows once gas is paid and destroyed accounts are gone.
 */
export interface EvmTracer {
  onStart?(transaction: TracedTransaction): void;
  onEnd?(end: { readonly gasUsed: bigint }): void;
  onEnter?(frame: TracedFrame): void;
  onExit?(outcome: TracedOutcome): void;
  /** `false`: no more steps, which lets the rest run at full speed. */
  onStep?(step: TracedStep): unknown;
  /** An opcode of the step before failed while it ran. */
  onFault?(fault: { readonly depth: number; readonly error: string }): void;
  onLog?(log: TracedLog): void;
  /** Needs no steps. Each account is told of again and again, each slot at least once. */
  onLook?(look: TracedLook): void;
}
