import {
  instructionOf,
  Op,
  type TracedOutcome,
  type TracedState,
  type TracedStep,
  type TracedTransaction,
} from '../evm/index.ts';
import { bigintToBytes, bytesToHex, padLeft, toHexData } from '../primitives/index.ts';
import type { ByteBudget } from './byteBudget.ts';
import { sortedJson } from './sortedJson.ts';
import type { TraceConfig, TraceLimits } from './traceConfig.ts';
import type { Tracer } from './tracer.ts';

const WORD = 32;
const CHUNK_LOGS = 256;

/** Every opcode with what it sees: the result of `debug_trace…` when no tracer is named. */
export class StructLogger implements Tracer {
  readonly #config: TraceConfig;
  readonly #budget: ByteBudget;
  readonly #wordText: (word: Uint8Array) => string;
  /** Logs joined: one flat string takes far less than the pieces that it was made of. */
  readonly #chunks: string[] = [];
  #logs: string[] = [];
  /** Slots seen so far, by account, in hex. */
  readonly #storage = new Map<string, Map<string, string>>();
  #bytes = 0;
  #state: TracedState | undefined;
  #gasUsed = 0n;
  #outcome: TracedOutcome | undefined;

  constructor(
    config: TraceConfig,
    { budget, hexWords }: { readonly budget: ByteBudget } & Pick<TraceLimits, 'hexWords'>,
  ) {
    this.#config = config;
    this.#budget = budget;
    this.#wordText = hexWords === 'prefixed' ? toHexData : bytesToHex;
  }

  onStart({ state }: TracedTransaction): void {
    this.#state = state;
  }

  onStep(step: TracedStep): boolean {
    const { limit } = this.#config;
    if ((limit && this.#bytes > limit) || this.#budget.isSpent) return false;
    const entry = this.#entryOf(step);
    this.#bytes += entry.length;
    this.#budget.spend(entry.length);
    this.#keep(entry);
    return true;
  }

  onExit(outcome: TracedOutcome): void {
    if (outcome.depth === 0) this.#outcome = outcome;
  }

  onEnd({ gasUsed }: { readonly gasUsed: bigint }): void {
    this.#gasUsed = gasUsed;
  }

  result(): string {
    const { error, output } = this.#outcome ?? { error: undefined, output: undefined };
    const isShown = error === undefined || error === 'execution reverted';
    const returnValue = output && isShown ? toHexData(output) : '0x';
    const head = `"gas":${this.#gasUsed},"failed":${error !== undefined},"returnValue":"${returnValue}"`;
    return `{${head},"structLogs":[${[...this.#chunks, ...this.#logs].join(',')}]}`;
  }

  #keep(entry: string): void {
    this.#logs.push(entry);
    if (this.#logs.length < CHUNK_LOGS) return;
    this.#chunks.push(this.#logs.join(','));
    this.#logs = [];
  }

  #entryOf(step: TracedStep): string {
    const { enableMemory, disableStack, disableStorage, enableReturnData } = this.#config;
    const { stack, memory, returnData, error, refund } = step;
    const storage = disableStorage ? '' : this.#storageOf(step);
    let text = `{"pc":${step.programCounter},"op":"${instructionOf(step.opcode).name}","gas":${step.gas}`;
    text += `,"gasCost":${step.gasCost},"depth":${step.depth}`;
    if (error !== undefined) text += `,"error":${JSON.stringify(error)}`;
    if (!disableStack) text += `,"stack":[${stack.map((word) => `"0x${word.toString(16)}"`).join(',')}]`;
    if (enableReturnData && returnData.length > 0) text += `,"returnData":"${toHexData(returnData)}"`;
    if (enableMemory && memory.length > 0) text += `,"memory":[${this.#memoryOf(memory)}]`;
    text += storage;
    if (refund > 0n) text += `,"refund":${refund}`;
    return `${text}}`;
  }

  #storageOf({ opcode, stack, address }: TracedStep): string {
    const reads = opcode === Op.SLOAD && stack.length >= 1;
    if (!reads && !(opcode === Op.SSTORE && stack.length >= 2)) return '';
    const account = bytesToHex(address);
    const slots = this.#storage.get(account) ?? new Map<string, string>();
    this.#storage.set(account, slots);
    const slot = padLeft(bigintToBytes(stack.at(-1)!), WORD);
    const value = reads ? this.#state!.storage(address, slot) : bigintToBytes(stack.at(-2)!);
    slots.set(this.#wordText(slot), this.#wordText(padLeft(value, WORD)));
    return `,"storage":${sortedJson(slots, (word) => `"${word}"`)}`;
  }

  #memoryOf(memory: Uint8Array): string {
    const texts: string[] = [];
    for (let at = 0; at < memory.length; at += WORD) {
      texts.push(`"${this.#wordText(memory.subarray(at, at + WORD))}"`);
    }
    return texts.join(',');
  }
}
