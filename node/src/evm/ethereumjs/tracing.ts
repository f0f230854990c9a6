import type { EVM, EVMResult, ExecResult, InterpreterStep, Message } from '@ethereumjs/evm';
import { bigintToFixedBytes, equalBytes } from '../../primitives/index.ts';
import { create2Address, createAddress } from '../contractAddress.ts';
import { delegationTarget } from '../delegation.ts';
import type { EvmHost } from '../evmEngine.ts';
import type { EvmState } from '../evmState.ts';
import type { EvmTracer, FrameKind, TracedStep } from '../evmTracer.ts';
import { hasFork } from '../fork/evmFork.ts';
import { gasBeforeOperands, Op } from '../instructions/index.ts';
import { addressOfWord, lookOf } from '../tracedLook.ts';
import { gethErrorOf } from './errors.ts';
import { type OpcodeWatcher, type OpenedBy, wrapOpcodes } from './opcodeWraps.ts';
import { failureText, type GasFailure, priceOf } from './stepErrors.ts';

const DESTROY_GAS = BigInt(gasBeforeOperands(Op.SELFDESTRUCT));
/** Until London (EIP-3529). */
const DESTROY_REFUND = 24_000n;
const ENDING_OPCODES: ReadonlySet<number> = new Set([Op.STOP, Op.RETURN, Op.SELFDESTRUCT]);
const CREATIONS: ReadonlySet<FrameKind> = new Set(['CREATE', 'CREATE2']);
const MAX_DEPTH = 1024;
const WARM_ACCESS_GAS = 100n;
const COLD_ACCESS_GAS = 2_600n;
const CALL_STIPEND = 2_300n;
const NO_BYTES = new Uint8Array(0);

interface OpenFrame {
  readonly depth: number;
  readonly kind: FrameKind;
  readonly target: Uint8Array;
  readonly input: Uint8Array;
  readonly gas: bigint;
  returnData: Uint8Array;
}

/** Turns the library's events into a tracer's calls. Returns the function that detaches them. */
export function attachTracer(
  evm: EVM,
  tracer: EvmTracer,
  host: Pick<EvmHost, 'state' | 'precompiles' | 'block'>,
): () => void {
  const stopSteps = (): void => void evm.events.off('step', told.onStep);
  const told: ToldEvents = new ToldEvents(tracer, host, stopSteps);
  const unwrap = wrapOpcodes(evm, told);
  const { onStep, onEnter, onExit } = told;
  if (tracer.onStep || tracer.onFault || tracer.onLook) evm.events.on('step', onStep);
  evm.events.on('beforeMessage', onEnter);
  evm.events.on('afterMessage', onExit);
  return () => {
    unwrap();
    evm.events.off('step', onStep);
    evm.events.off('beforeMessage', onEnter);
    evm.events.off('afterMessage', onExit);
  };
}

/** The events of one execution in geth's order and words. */
class ToldEvents implements OpcodeWatcher {
  readonly #tracer: EvmTracer;
  readonly #state: EvmState;
  readonly #host: Pick<EvmHost, 'precompiles' | 'block'>;
  readonly #stopSteps: () => void;
  readonly #frames: OpenFrame[] = [];
  #wantsSteps = true;
  #opening: OpenedBy | undefined;
  #gasFailure: GasFailure | undefined;
  /** Why the last step could not run, if so. */
  #stepError: string | undefined;

  constructor(
    tracer: EvmTracer,
    host: Pick<EvmHost, 'state' | 'precompiles' | 'block'>,
    stopSteps: () => void,
  ) {
    this.#stopSteps = stopSteps;
    this.#tracer = tracer;
    this.#host = host;
    this.#state = host.state;
  }

  readonly onStep = (step: InterpreterStep): void => {
    const { gasCost, error } = priceOf(step, this.#gasFailure);
    this.#gasFailure = undefined;
    this.#stepError = error;
    this.#tellStep({
      depth: step.depth + 1,
      programCounter: step.pc,
      opcode: this.#opcodeOf(step),
      gas: step.gasLeft,
      gasCost,
      refund: step.gasRefund + this.#destroyRefund(step),
      address: step.address.bytes,
      stack: step.stack,
      memory: wholeMemory(step.memory, Number(step.memoryWordCount) * 32),
      returnData: this.#frames.at(-1)?.returnData ?? NO_BYTES,
      error,
    });
  };

  readonly onEnter = (message: Message): void => {
    const kind = this.#opening?.kind ?? (message.to ? 'CALL' : 'CREATE');
    this.#opening = undefined;
    const target = message.to ? message.codeAddress.bytes : this.#addressOfNew(message);
    const { depth, data: input } = message;
    this.#frames.push({ depth, kind, target, input, gas: message.gasLimit, returnData: NO_BYTES });
    this.#tracer.onEnter?.({
      kind,
      depth,
      from: message.delegatecall ? message.to!.bytes : message.caller.bytes,
      to: target,
      input,
      gas: message.gasLimit,
      value: kind === 'STATICCALL' ? undefined : message.value,
    });
  };

  readonly onExit = ({ execResult }: EVMResult): void => {
    const frame = this.#frames.pop()!;
    this.#tellImplicitStop(execResult, frame);
    const { returnValue: output, executionGasUsed: gasUsed } = execResult;
    const told = gethErrorOf(execResult);
    const error = told && (this.#stepError ?? told);
    if (error !== undefined && execResult.runState && this.#stepError === undefined) {
      this.#tracer.onFault?.({ depth: frame.depth + 1, error });
    }
    this.#stepError = undefined;
    this.#tracer.onExit?.({ depth: frame.depth, output: output ?? NO_BYTES, gasUsed, error });
    const parent = this.#frames.at(-1);
    if (!parent) return;
    const isGiven = error === 'execution reverted' || (error === undefined && !CREATIONS.has(frame.kind));
    parent.returnData = isGiven ? (output ?? NO_BYTES) : NO_BYTES;
  };

  opening(by: OpenedBy): void {
    this.#opening = by;
    this.#frames.at(-1)!.returnData = NO_BYTES;
  }

  /** The library opens no frame for what cannot begin; geth shows one that ends at once. */
  opened(by: OpenedBy): void {
    if (this.#opening !== by) return;
    this.#opening = undefined;
    const { kind, state, operands } = by;
    const { _env: env } = state.interpreter;
    const isCreation = CREATIONS.has(kind);
    const depth = env.depth + 1;
    const from = env.address.bytes;
    const sent = sentValue(by);
    const [offset, length] = isCreation ? [operands[1]!, operands[2]!] : inputOf(by);
    const input = length === 0n ? NO_BYTES : state.memory.read(Number(offset), Number(length)).slice();
    const gas = by.gas + (!isCreation && sent ? CALL_STIPEND : 0n);
    const to = isCreation ? this.#addressOf(by, input) : addressOfWord(operands[1]!);
    const value = kind === 'DELEGATECALL' ? env.callValue : sent;
    this.#tracer.onEnter?.({ kind, depth, from, to, input, gas, value });
    const error =
      env.depth >= MAX_DEPTH ? 'max call depth exceeded' : this.#failureOf(env.contract.balance, sent);
    this.#tracer.onExit?.({ depth, output: NO_BYTES, gasUsed: 0n, error });
  }

  destroying({ interpreter: { _env: env } }: OpenedBy['state'], beneficiary: bigint): void {
    const from = env.address.bytes;
    const depth = env.depth + 1;
    this.#tracer.onEnter?.({
      kind: 'SELFDESTRUCT',
      depth,
      from,
      to: addressOfWord(beneficiary),
      input: NO_BYTES,
      gas: 0n,
      value: this.#state.balance(from),
    });
    this.#tracer.onExit?.({ depth, output: NO_BYTES, gasUsed: 0n, error: undefined });
  }

  log(log: Parameters<NonNullable<EvmTracer['onLog']>>[0]): void {
    this.#tracer.onLog?.(log);
  }

  accessGas(callee: bigint): bigint {
    const address = addressOfWord(callee);
    const target = this.#delegateOf(this.#state.code(address));
    const ownGas = this.#state.isWarmAddress(address) ? 0n : COLD_ACCESS_GAS - WARM_ACCESS_GAS;
    if (!target) return ownGas;
    const isWarm = this.#state.isWarmAddress(target) || equalBytes(target, address);
    return ownGas + (isWarm ? WARM_ACCESS_GAS : COLD_ACCESS_GAS);
  }

  /** Before Prague code of that form is code. */
  #delegateOf(code: Uint8Array): Uint8Array | undefined {
    return hasFork(this.#host.block.fork, 'prague') ? delegationTarget(code) : undefined;
  }

  gasFailed(failure: GasFailure): void {
    this.#gasFailure = failure;
    this.#stepError = failureText(failure);
  }

  #tellStep(step: TracedStep): void {
    const look = this.#tracer.onLook && lookOf(step, this.#state);
    if (look) this.#tracer.onLook?.(look);
    if (!this.#wantsSteps || this.#tracer.onStep?.(step) !== false) return;
    this.#wantsSteps = false;
    if (!this.#tracer.onLook) this.#stopSteps();
  }

  /** geth counts it with the price that depends on the heir, the library when the opcode runs. */
  #destroyRefund({ opcode, address, gasLeft, stack }: InterpreterStep): bigint {
    const isPriced = opcode.code === Op.SELFDESTRUCT && stack.length > 0 && gasLeft >= DESTROY_GAS;
    const isRefunded = isPriced && !hasFork(this.#host.block.fork, 'london');
    return isRefunded && !this.#state.isDestroyed(address.bytes) ? DESTROY_REFUND : 0n;
  }

  /** The library names everything that it does not know INVALID. */
  #opcodeOf({ opcode, pc }: InterpreterStep): number {
    const frame = this.#frames.at(-1);
    if (opcode.code !== Op.INVALID || !frame) return opcode.code;
    if (CREATIONS.has(frame.kind)) return frame.input[pc] ?? Op.INVALID;
    const code = this.#state.code(frame.target);
    const delegate = this.#delegateOf(code);
    return (delegate ? this.#state.code(delegate) : code)[pc] ?? Op.INVALID;
  }

  #failureOf(balance: bigint, sent: bigint | undefined): string {
    return sent && balance < sent ? 'insufficient balance for transfer' : 'nonce uint64 overflow';
  }

  /** The creator's nonce has moved already. */
  #addressOfNew({ caller, salt, data }: Message): Uint8Array {
    const creator = caller.bytes;
    return salt
      ? create2Address(creator, salt, data)
      : createAddress(creator, this.#state.nonce(creator) - 1n);
  }

  #addressOf({ kind, operands, state }: OpenedBy, input: Uint8Array): Uint8Array {
    const creator = state.interpreter._env.address.bytes;
    return kind === 'CREATE2'
      ? create2Address(creator, bigintToFixedBytes(operands[3]!, 32), input)
      : createAddress(creator, this.#state.nonce(creator));
  }

  /** Code that ends without a STOP stops all the same; geth shows that as a step, the library does not. */
  #tellImplicitStop({ exceptionError, runState, gasRefund }: ExecResult, { returnData }: OpenFrame): void {
    if (!this.#wantsSteps || exceptionError || !runState || ENDING_OPCODES.has(runState.opCode)) return;
    this.#tellStep({
      depth: runState.env.depth + 1,
      programCounter: runState.programCounter,
      opcode: Op.STOP,
      gas: runState.gasLeft,
      gasCost: 0n,
      refund: gasRefund ?? 0n,
      address: runState.env.address.bytes,
      stack: runState.stack.getStack(),
      memory: wholeMemory(runState.memory._store, Number(runState.memoryWordCount) * 32),
      returnData,
      error: undefined,
    });
  }
}

/** `undefined` where the opcode sends none. */
function sentValue({ kind, operands }: OpenedBy): bigint | undefined {
  if (CREATIONS.has(kind)) return operands[0];
  return kind === 'CALL' || kind === 'CALLCODE' ? operands[2] : undefined;
}

function inputOf(by: OpenedBy): readonly [bigint, bigint] {
  const first = sentValue(by) === undefined ? 2 : 3;
  return [by.operands[first]!, by.operands[first + 1]!];
}

/** The library makes room for what a call may write only when it is written. */
function wholeMemory(memory: Uint8Array, length: number): Uint8Array {
  if (memory.length === length) return memory;
  const whole = new Uint8Array(length);
  whole.set(memory.subarray(0, length));
  return whole;
}
