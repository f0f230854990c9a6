import {
  type EvmFork,
  instructionOf,
  type TracedFrame,
  type TracedOutcome,
  type TracedState,
  type TracedStep,
  type TracedTransaction,
  USUAL_FORK,
} from '../../evm/index.ts';
import { bytesToHex } from '../../primitives/index.ts';
import type { TracePlace, Tracer } from '../tracer.ts';
import { type ContractView, hostFunctions } from './hostFunctions.ts';
import { Sandbox } from './sandbox.ts';

type Module = ConstructorParameters<typeof Sandbox>[0];

const STEPS = 1;
const FRAMES = 2;

/** What the tracer's `result` gets; bytes in hex, amounts in decimal. */
type ResultContext = Record<string, string | number | undefined>;

/** A tracer of JavaScript as geth takes them: `setup`, `step`, `fault`, `enter`, `exit`, `result`. */
export class JavaScriptTracer implements Tracer {
  onStep?: (step: TracedStep) => void;
  readonly #sandbox: Sandbox;
  readonly #tellsFrames: boolean;
  readonly #timeoutMs: number;
  readonly #context: ResultContext;
  readonly #frames: ContractView[] = [];
  #state: TracedState | undefined;
  #fork: EvmFork = USUAL_FORK;
  #step: TracedStep | undefined;

  constructor(
    module: Module,
    source: { readonly code: string; readonly config: unknown; readonly timeoutMs: number },
    place: TracePlace,
  ) {
    this.#timeoutMs = source.timeoutMs;
    this.#context = contextOf(place);
    this.#sandbox = new Sandbox(
      module,
      hostFunctions({
        state: () => this.#state!,
        fork: () => this.#fork,
        step: () => this.#step,
        contract: () => this.#frames.at(-1),
      }),
    );
    try {
      this.#sandbox.limitTime(source.timeoutMs);
      const config = JSON.stringify(source.config ?? {});
      const wants = Number(this.#sandbox.call('open', source.code, config));
      this.#tellsFrames = (wants & FRAMES) !== 0;
      if (wants & STEPS) this.onStep = (step) => this.#tellStep(step);
    } catch (error) {
      this.#sandbox.dispose();
      throw error;
    }
  }

  onStart({ state, fork, gasLimit, gasPrice, coinbase, blockNumber }: TracedTransaction): void {
    this.#sandbox.limitTime(this.#timeoutMs);
    this.#state = state;
    this.#fork = fork;
    Object.assign(this.#context, {
      block: Number(blockNumber),
      gas: Number(gasLimit),
      gasPrice: gasPrice.toString(),
      coinbase: bytesToHex(coinbase),
    });
  }

  onEnter(frame: TracedFrame): void {
    const { kind, depth, from, to, input, gas, value } = frame;
    const parent = this.#frames.at(-1);
    const isDelegate = kind === 'DELEGATECALL';
    const isCreation = kind === 'CREATE' || kind === 'CREATE2';
    this.#frames.push({
      caller: isDelegate && parent ? parent.caller : from,
      value: value ?? 0n,
      input: isCreation ? new Uint8Array(0) : input,
    });
    if (depth === 0) {
      Object.assign(this.#context, {
        type: kind,
        from: bytesToHex(from),
        to: bytesToHex(to),
        input: bytesToHex(input),
        value: (value ?? 0n).toString(),
      });
    } else if (this.#tellsFrames) {
      const told = { type: kind, from: bytesToHex(from), to: bytesToHex(to), input: bytesToHex(input) };
      this.#sandbox.call('enter', JSON.stringify({ ...told, gas: Number(gas), value: value?.toString() }));
    }
  }

  onExit({ depth, output, gasUsed, error }: TracedOutcome): void {
    this.#frames.pop();
    const told = { output: bytesToHex(output), error };
    if (depth === 0) Object.assign(this.#context, told);
    else if (this.#tellsFrames)
      this.#sandbox.call('exit', JSON.stringify({ ...told, gasUsed: Number(gasUsed) }));
  }

  onFault({ error }: { readonly error: string }): void {
    this.#sandbox.call('fault', error);
  }

  onEnd({ gasUsed }: { readonly gasUsed: bigint }): void {
    this.#context.gasUsed = Number(gasUsed);
  }

  result(): string {
    return String(this.#sandbox.call('result', JSON.stringify(this.#context)));
  }

  dispose(): void {
    this.#sandbox.dispose();
  }

  #tellStep(step: TracedStep): void {
    this.#step = step;
    const { programCounter, opcode, gas, gasCost, depth, refund, error } = step;
    const numbers = [Number(gas), Number(gasCost), depth, Number(refund)] as const;
    this.#sandbox.call('step', programCounter, opcode, instructionOf(opcode).name, ...numbers, error);
  }
}

function contextOf({ blockHash, transactionHash, transactionIndex }: TracePlace): ResultContext {
  if (!blockHash) return {};
  if (!transactionHash) return { blockHash: bytesToHex(blockHash) };
  return { blockHash: bytesToHex(blockHash), txHash: bytesToHex(transactionHash), txIndex: transactionIndex };
}
