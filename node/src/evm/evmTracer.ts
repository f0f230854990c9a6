/** How a frame came to be: the opcode that opened it, or the transaction itself (CALL, CREATE). */
export type FrameKind =
  | 'CALL'
  | 'CALLCODE'
  | 'DELEGATECALL'
  | 'STATICCALL'
  | 'CREATE'
  | 'CREATE2'
  | 'SELFDESTRUCT';

/** A frame at its start. `depth` is 0 for the transaction's own frame. */
export interface TracedFrame {
  readonly kind: FrameKind;
  readonly depth: number;
  readonly from: Uint8Array;
  /** The callee whose code runs; for a creation the new address, `null` when it is not known yet. */
  readonly to: Uint8Array | null;
  /** Call data or init code. */
  readonly input: Uint8Array;
  readonly gas: bigint;
  readonly value: bigint;
}

/** A frame at its end. */
export interface TracedOutcome {
  readonly depth: number;
  readonly output: Uint8Array;
  readonly gasUsed: bigint;
  /** In geth's words; `undefined` on success. */
  readonly error: string | undefined;
  readonly createdAddress: Uint8Array | undefined;
}

/** One opcode, before it runs. Stack and memory are the tracer's to keep. */
export interface TracedStep {
  readonly depth: number;
  readonly programCounter: number;
  readonly opcode: number;
  /** geth's mnemonic. */
  readonly name: string;
  readonly gas: bigint;
  readonly gasCost: bigint;
  readonly refund: bigint;
  /** Account whose storage is used, 20 bytes. */
  readonly address: Uint8Array;
  /** Bottom first. */
  readonly stack: readonly bigint[];
  readonly memory: Uint8Array;
}

/** Watches an execution. Callbacks are synchronous and must not write to the state. */
export interface EvmTracer {
  onEnter?(frame: TracedFrame): void;
  onExit?(outcome: TracedOutcome): void;
  onStep?(step: TracedStep): void;
}
