import {
  type EvmFork,
  isStandardPrecompile,
  type TracedFrame,
  type TracedOutcome,
  type TracedTransaction,
  USUAL_FORK,
} from '../evm/index.ts';
import { toHexData, toHexQuantity } from '../primitives/index.ts';
import type { CallFrame } from './callFrames.ts';
import { CallTracer } from './callTracer.ts';
import { flags } from './flags.ts';
import { parityError } from './parityError.ts';
import type { TracePlace, Tracer } from './tracer.ts';

interface FlatOptions {
  readonly convertParityErrors: boolean;
  readonly includePrecompiles: boolean;
}

/** One call of the list; members in the order in which they go over the wire. */
export type FlatFrame = Readonly<Record<string, unknown>>;

/** The same calls as a list, each with its place in the tree, as Parity's trace module shows them. */
export class FlatCallTracer implements Tracer {
  readonly #calls = new CallTracer({});
  readonly #options: FlatOptions;
  readonly #place: TracePlace;
  #fork: EvmFork = USUAL_FORK;

  constructor(config: unknown, place: TracePlace) {
    this.#options = flags(config, 'convertParityErrors', 'includePrecompiles');
    this.#place = place;
  }

  onStart(transaction: TracedTransaction): void {
    this.#fork = transaction.fork;
    this.#calls.onStart(transaction);
  }

  onEnter(frame: TracedFrame): void {
    this.#calls.onEnter(frame.depth > 0 ? { ...frame, value: frame.value ?? 0n } : frame);
  }

  onExit(outcome: TracedOutcome): void {
    this.#calls.onExit(outcome);
    if (outcome.depth === 0 || this.#options.includePrecompiles) return;
    const siblings = this.#calls.current?.calls ?? [];
    const last = siblings.at(-1);
    if (last?.kind !== 'CALL' && last?.kind !== 'STATICCALL') return;
    if (last.to && isStandardPrecompile(last.to, this.#fork)) siblings.pop();
  }

  onEnd(end: { readonly gasUsed: bigint }): void {
    this.#calls.onEnd(end);
  }

  result(): string {
    return JSON.stringify(this.frames());
  }

  /** What the transaction's own frame returned. */
  get output(): Uint8Array {
    return this.#calls.top.output;
  }

  /** The list itself, the transaction's own frame first. */
  frames(): FlatFrame[] {
    return this.#flatten(this.#calls.top, []);
  }

  #flatten(frame: CallFrame, traceAddress: readonly number[]): FlatFrame[] {
    const { blockHash, blockNumber, transactionHash, transactionIndex } = this.#place;
    const { error } = frame;
    const shown = error === undefined || !this.#options.convertParityErrors ? error : parityError(error);
    const { type, action, result } = shapeOf(frame);
    const keepsResult = error === undefined || error === 'execution reverted';
    const own = {
      action,
      blockHash: blockHash ? toHexData(blockHash) : null,
      blockNumber: blockNumber ?? 0,
      ...(shown !== undefined && { error: shown }),
      ...(result !== undefined && keepsResult && { result }),
      subtraces: frame.calls.length,
      traceAddress,
      transactionHash: transactionHash ? toHexData(transactionHash) : null,
      transactionPosition: transactionIndex ?? 0,
      type,
    };
    return [own, ...frame.calls.flatMap((call, index) => this.#flatten(call, [...traceAddress, index]))];
  }
}

function shapeOf(frame: CallFrame): { type: string; action: unknown; result?: unknown } {
  const { kind } = frame;
  const from = toHexData(frame.from);
  const to = frame.to && toHexData(frame.to);
  const value = frame.value === undefined ? undefined : toHexQuantity(frame.value);
  const gas = toHexQuantity(frame.gas);
  const gasUsed = toHexQuantity(frame.gasUsed);
  const input = toHexData(frame.input);
  const output = toHexData(frame.output);
  if (kind === 'SELFDESTRUCT') {
    return { type: 'suicide', action: { address: from, balance: value, refundAddress: to } };
  }
  if (kind === 'CREATE' || kind === 'CREATE2') {
    return {
      type: 'create',
      action: { creationMethod: kind.toLowerCase(), from, gas, init: input, value },
      result: { address: to, code: output, gasUsed },
    };
  }
  return {
    type: 'call',
    action: { callType: kind.toLowerCase(), from, gas, input, to, value },
    result: { gasUsed, output },
  };
}
