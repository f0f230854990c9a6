import { createAddress } from '../../contractAddress.ts';
import type { EvmExecutionResult, EvmHost, EvmMessage } from '../../evmEngine.ts';
import type { EvmTracer } from '../../evmTracer.ts';
import type { StandardPrecompiles } from '../../standard/standardPrecompiles.ts';
import {
  beginCall,
  callByOpcode,
  createByOpcode,
  depositCode,
  destroySelf,
  isAccessUnpaid,
  openCreation,
} from '../calls/index.ts';
import type { Call, Frame, MessageScope } from '../frames/index.ts';
import { BALANCE_ERROR, deliver, FrameWatch, failureText, type Outcome } from '../frames/index.ts';
import type { LinearMemory } from '../memory/index.ts';
import { NoRoom } from '../memory/index.ts';
import {
  ACCESS_OUT_OF_GAS,
  ARENA,
  DONE_DESTROY,
  DONE_RETURN,
  DONE_REVERT,
  DONE_STOP,
  GAS,
  INTERPRET,
  MAX_FRAMES,
  OUT_OF_GAS,
  OUTPUT,
  OUTPUT_LENGTH,
  POLL_GAS,
  RETURN_BYTES,
  RETURN_DATA,
  RETURN_LENGTH,
  WANTS_CALL,
  WANTS_CREATE,
} from '../memory/layout.ts';
import type { Runtime } from '../runtime/index.ts';
import { failedBeforeExecution, Stepper, watchEnd } from '../steps/index.ts';
import type { AnyPrecompile } from '../tables/index.ts';
import { Accounts, Journal } from '../tables/index.ts';
import { writeContext } from './executionContext.ts';
import { HostAnswers } from './hostAnswers.ts';

/** A frame that calls is never deeper than this, counted from 0 (geth's CallCreateDepth). */
const MAX_DEPTH = MAX_FRAMES - 2;
/** Between two questions to the host whether to go on. */
const CALLS_A_QUESTION = 16;

/** A message, and whether its tracer's looks need steps. */
export interface Work {
  readonly message: EvmMessage;
  readonly host: EvmHost;
  readonly bySteps?: boolean;
}

/**
 * One message on one runtime. Frames do not nest on the host's stack: the interpreter comes back whenever it wants
 * a call, and `#loop` goes on with whichever frame is on top.
 */
export class MessageRun implements MessageScope {
  readonly memory: LinearMemory;
  readonly host: EvmHost;
  readonly journal: Journal;
  readonly accounts: Accounts;
  readonly watch: FrameWatch | undefined;
  #calls = 0;
  readonly #runtime: Runtime;
  readonly #message: EvmMessage;
  readonly #standard: StandardPrecompiles;
  readonly #frames: Frame[] = [];
  #stepper: Stepper | undefined;

  constructor(runtime: Runtime, { message, host, bySteps = false }: Work, standard: StandardPrecompiles) {
    this.#runtime = runtime;
    this.memory = runtime.memory;
    this.host = host;
    this.#message = message;
    this.#standard = standard;
    const precompileOf = (address: string): AnyPrecompile | undefined => this.#precompileOf(address);
    const { tracer, state } = host;
    this.accounts = new Accounts(runtime, { state, fork: host.block.fork, precompileOf });
    this.watch = tracer && new FrameWatch(tracer, () => this.#frames.length);
    this.journal = new Journal(runtime, { state, accounts: this.accounts, watch: this.watch });
    if (tracer && (tracer.onStep || bySteps)) this.#beginSteps(tracer);
    const current = (): Frame => this.#frames.at(-1)!;
    const onTick = (): boolean => this.#shouldSwitchToCompiled(current());
    runtime.host = new HostAnswers(this, current, onTick);
    writeContext(this.memory, message, host.block);
  }

  /** Throws NoRoom, and what `host.interrupt` throws; the host's state is then as far as it got. */
  run(): EvmExecutionResult | Promise<EvmExecutionResult> {
    this.memory.setU32(RETURN_LENGTH, 0);
    const begun = this.#begin();
    const ended = begun instanceof Promise ? begun.then((given) => this.#loop(given)) : this.#loop(begun);
    return ended instanceof Promise ? ended.then((given) => this.#finish(given)) : this.#finish(ended);
  }

  #beginSteps(tracer: EvmTracer): void {
    this.#stepper = new Stepper(this, tracer, this.#runtime.exports.step);
    this.watch!.hasSteps = true;
  }

  #finish({ error, gasLeft, created }: Outcome): EvmExecutionResult {
    const { memory, journal } = this;
    this.watch?.tellSlot();
    journal.flush();
    return {
      error,
      returnData: memory.slice(RETURN_DATA, memory.u32(RETURN_LENGTH)),
      gasUsed: this.#message.gasLimit - BigInt(gasLeft),
      gasRefund: error === undefined ? BigInt(journal.refund) : 0n,
      logs: journal.logs,
      createdAddress: created?.address,
    };
  }

  /** Whether the frame on top is as deep as frames may be. */
  get isDeepest(): boolean {
    return this.#frames.length - 1 >= MAX_DEPTH;
  }

  push(frame: Frame): void {
    this.#frames.push(frame);
  }

  /** Lets the memory of frames reach `end`. Throws NoRoom. */
  reserve(end: number): void {
    this.#runtime.exports.reserve(BigInt(end));
  }

  transfer(from: Uint8Array, to: Uint8Array, wei: bigint): void {
    if (wei === 0n) return;
    const { state } = this.host;
    state.setBalance(from, state.balance(from) - wei);
    state.setBalance(to, state.balance(to) + wei);
  }

  countCall(): void {
    if (this.#calls++ % CALLS_A_QUESTION === 0) this.host.interrupt?.();
  }

  /** `address`: lower-case hex without prefix. */
  #precompileOf(address: string): AnyPrecompile | undefined {
    const own = this.host.precompiles.get(address);
    if (!own) return this.#standard.get(address);
    if ('run' in own) return own;
    return own.standard === undefined ? undefined : this.#standard.get(own.standard);
  }

  /** Goes on until no frame is left, or until what a precompile promised is there. */
  #loop(given: Outcome | undefined): Outcome | Promise<Outcome> {
    const { memory, journal } = this;
    let outcome = given;
    for (;;) {
      const frame = this.#frames.at(-1);
      if (!frame) return outcome!;
      if (outcome) deliver(memory, frame, outcome);
      journal.enter(frame.mark);
      const next = this.#goOn(frame, this.#runFrame(frame));
      if (next instanceof Promise) return next.then((late) => this.#loop(late));
      outcome = next;
    }
  }

  /** Translated code as far as it goes, else the interpreter. */
  #runFrame(frame: Frame): number {
    if (this.#stepper) return this.#runSteps(this.#stepper, frame);
    const { record, code } = frame;
    const compiled = this.#runtime.compiledOf(code);
    const before = this.memory.i64(record + GAS);
    let status = compiled.run(record);
    const isInterpreted = status === INTERPRET;
    if (isInterpreted) status = this.#runtime.exports.run(record);
    const burnt = before - this.memory.i64(record + GAS);
    if (isInterpreted) compiled.burnt(burnt, code);
    this.host.onBurn?.(burnt);
    return status;
  }

  #runSteps(stepper: Stepper, frame: Frame): number {
    const status = stepper.run(frame, this.#frames.length);
    if (stepper.isOn) return status;
    this.#stepper = undefined;
    this.watch!.hasSteps = false;
    return status;
  }

  /** The interpreter has been at it for a while. */
  #shouldSwitchToCompiled({ code }: Frame): boolean {
    const compiled = this.#runtime.compiledOf(code);
    compiled.burnt(POLL_GAS, code);
    this.#runtime.poll();
    return compiled.isCompiled;
  }

  /** What the frame came back for: an outcome, or nothing when another frame is on top now. */
  #goOn(frame: Frame, status: number): Outcome | Promise<Outcome> | undefined {
    if (status === INTERPRET) return undefined;
    if (status === WANTS_CREATE) return createByOpcode(this, frame);
    if (status !== WANTS_CALL) return this.#end(frame, status);
    const begun = callByOpcode(this, frame);
    return typeof begun === 'number' ? this.#end(frame, begun) : begun;
  }

  #begin(): Outcome | Promise<Outcome> | undefined {
    const { memory, host } = this;
    const { caller, to, value, data, gasLimit, isStatic = false } = this.#message;
    const gas = Number(gasLimit);
    const sender = this.accounts.of(caller);
    if (value > 0n && host.state.balance(caller) < value) return this.#refuse(gas);
    if (to === null) {
      const created = this.accounts.of(createAddress(caller, host.state.nonce(caller) - 1n));
      host.interrupt?.();
      return openCreation(this, undefined, {
        kind: 'CREATE',
        creator: sender,
        created,
        value,
        gas,
        initCode: data,
      });
    }
    this.reserve(ARENA + data.length);
    memory.bytes.set(data, ARENA);
    const callee = this.accounts.of(to);
    const input = { inputAt: ARENA, inputLength: data.length };
    const call: Call = {
      kind: 'CALL',
      self: callee,
      caller: sender,
      callee,
      value,
      isStatic,
      isDelegated: false,
      gas,
      ...input,
    };
    return beginCall(this, undefined, call);
  }

  /** The caller has not what it sends. */
  #refuse(gas: number): Outcome {
    const { caller, to, value, data } = this.#message;
    const kind = to ? 'CALL' : 'CREATE';
    const target = to ?? createAddress(caller, this.host.state.nonce(caller) - 1n);
    this.watch?.enter({ kind, from: caller, to: target, input: data, gas, value });
    this.watch?.exit({ error: BALANCE_ERROR, gasUsed: 0 });
    return { error: BALANCE_ERROR, gasLeft: gas };
  }

  /** The frame is over: keeps its output, takes back what it did when it failed. */
  #end(frame: Frame, status: number): Outcome {
    const { record, created } = frame;
    const judged = status === DONE_DESTROY ? destroySelf(this, frame) : status;
    if (this.watch) watchEnd(this, this.watch, frame, judged);
    const ended = this.#judge(frame, judged);
    if (ended.error !== undefined && !failedBeforeExecution(judged)) this.watch?.fault(ended.error);
    this.#frames.pop();
    if (ended.error !== undefined) this.journal.revertTo(frame.mark);
    const hasOutput = status === DONE_REVERT || (status === DONE_RETURN && ended.error === undefined);
    const isGiven = status === DONE_REVERT || !created || this.#frames.length === 0;
    this.watch?.exit({
      error: ended.error,
      ...(hasOutput && { output: this.#outputOf(record) }),
      gasUsed: frame.gas - ended.gasLeft,
    });
    this.#keepOutput(record, isGiven && hasOutput);
    return { ...ended, created };
  }

  #judge(frame: Frame, status: number): Outcome {
    const { record, created } = frame;
    const gas = this.memory.i64(record + GAS);
    if (status === DONE_REVERT) return { error: 'execution reverted', gasLeft: gas };
    if (status === DONE_STOP || status === DONE_DESTROY) return { error: undefined, gasLeft: gas };
    if (status !== DONE_RETURN) {
      const isUnpaid = status === OUT_OF_GAS && isAccessUnpaid(this, frame);
      return { error: failureText(this.memory, record, isUnpaid ? ACCESS_OUT_OF_GAS : status), gasLeft: 0 };
    }
    const left = created ? depositCode(this, created, frame, gas) : gas;
    return typeof left === 'string' ? { error: left, gasLeft: 0 } : { error: undefined, gasLeft: left };
  }

  #outputOf(record: number): Uint8Array {
    return this.memory.slice(this.memory.u32(record + OUTPUT), this.memory.u32(record + OUTPUT_LENGTH));
  }

  #keepOutput(record: number, isGiven: boolean): void {
    const { memory } = this;
    const length = isGiven ? memory.u32(record + OUTPUT_LENGTH) : 0;
    if (length > RETURN_BYTES) throw new NoRoom('return data');
    const at = memory.u32(record + OUTPUT);
    if (length > 0) memory.bytes.copyWithin(RETURN_DATA, at, at + length);
    memory.setU32(RETURN_LENGTH, length);
  }
}
