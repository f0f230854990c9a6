import type { EvmTracer, FrameKind, TracedLook } from '../../evmTracer.ts';
import type { LinearMemory } from '../memory/index.ts';
import type { Call } from './plannedCall.ts';

const NO_BYTES = new Uint8Array(0);

/** How a watched frame ended. */
export interface WatchedEnd {
  readonly error: string | undefined;
  readonly output?: Uint8Array;
  readonly gasUsed: number;
}

/** Tells a tracer of frames, which costs nothing where none is opened or ended: code runs on as it is. */
export class FrameWatch {
  readonly #tracer: EvmTracer;
  readonly #depth: () => number;
  /** The newest slot that was loaded: whether its opcode is paid is not known yet. */
  #slot: TracedLook | undefined;
  /** Whether somebody else tells of looks. */
  hasSteps = false;

  /** `depth`: of the frame that is opened next, 0 for the transaction's own. */
  constructor(tracer: EvmTracer, depth: () => number) {
    this.#tracer = tracer;
    this.#depth = depth;
  }

  get wantsLooks(): boolean {
    return this.#tracer.onLook !== undefined && !this.hasSteps;
  }

  look(look: TracedLook): void {
    if (this.wantsLooks) this.#tracer.onLook!(look);
  }

  /** A slot that the execution has not met before. */
  loadedSlot(address: Uint8Array, slot: Uint8Array): void {
    this.tellSlot();
    if (this.wantsLooks) this.#slot = { kind: 'slot', address, slot };
  }

  /** The newest slot's opcode has gone through. */
  tellSlot(): void {
    const slot = this.#slot;
    this.#slot = undefined;
    if (slot) this.look(slot);
  }

  enterCall({ memory }: { readonly memory: LinearMemory }, call: Call): void {
    const { kind, self, caller, callee, value, gas } = call;
    this.#tracer.onEnter?.({
      kind,
      depth: this.#depth(),
      from: kind === 'DELEGATECALL' ? self.address : caller.address,
      to: callee.address,
      input: memory.slice(call.inputAt, call.inputLength),
      gas: BigInt(gas),
      value: kind === 'STATICCALL' ? undefined : value,
    });
  }

  enter(frame: {
    readonly kind: FrameKind;
    readonly from: Uint8Array;
    readonly to: Uint8Array;
    readonly input: Uint8Array;
    readonly gas: number;
    readonly value: bigint;
  }): void {
    this.#tracer.onEnter?.({ ...frame, depth: this.#depth(), gas: BigInt(frame.gas) });
  }

  /** Of the frame that was opened last and is not pushed any more. */
  exit({ error, output = NO_BYTES, gasUsed }: WatchedEnd): void {
    this.#tracer.onExit?.({ depth: this.#depth(), output, gasUsed: BigInt(gasUsed), error });
  }

  /** The frame that is pushed last fails by itself: not for want of gas or stack, which its step tells. */
  fault(error: string): void {
    this.#tracer.onFault?.({ depth: this.#depth(), error });
  }

  destroyed(from: Uint8Array, to: Uint8Array, value: bigint): void {
    const depth = this.#depth();
    this.#tracer.onEnter?.({ kind: 'SELFDESTRUCT', depth, from, to, input: NO_BYTES, gas: 0n, value });
    this.exit({ error: undefined, gasUsed: 0 });
  }
}
