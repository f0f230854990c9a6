import type { EVM, EVMResult, ExecResult, InterpreterStep, Message } from '@ethereumjs/evm';
import type { EvmTracer, FrameKind } from '../evmTracer.ts';
import { gethErrorOf } from './errors.ts';

const FRAME_OPCODES: Readonly<Record<number, FrameKind>> = {
  240: 'CREATE',
  241: 'CALL',
  242: 'CALLCODE',
  244: 'DELEGATECALL',
  245: 'CREATE2',
  250: 'STATICCALL',
};
const CALL_OPCODES: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa]);
const STOP = 0x00;
const SELFDESTRUCT = 0xff;
const ENDING_OPCODES: ReadonlySet<number> = new Set([STOP, 0xf3, SELFDESTRUCT]);
const NO_BYTES = new Uint8Array(0);

/** Turns the library's events into a tracer's calls. Returns the function that detaches them. */
export function attachTracer(evm: EVM, tracer: EvmTracer): () => void {
  let opening: FrameKind | undefined;
  const depths: number[] = [];
  const onStep = (step: InterpreterStep): void => {
    opening = FRAME_OPCODES[step.opcode.code];
    tracer.onStep?.({
      depth: step.depth,
      programCounter: step.pc,
      opcode: step.opcode.code,
      name: step.opcode.name,
      gas: step.gasLeft,
      gasCost: gasCostOf(step),
      refund: step.gasRefund,
      address: step.address.bytes,
      stack: step.stack,
      memory: step.memory,
    });
    if (step.opcode.code === SELFDESTRUCT) reportSelfdestruct(tracer, step);
  };
  const onEnter = (message: Message): void => {
    depths.push(message.depth);
    const kind = message.depth === 0 ? undefined : opening;
    tracer.onEnter?.({
      kind: kind ?? (message.to ? 'CALL' : 'CREATE'),
      depth: message.depth,
      from: message.delegatecall ? message.to!.bytes : message.caller.bytes,
      to: message.to ? message.codeAddress.bytes : null,
      input: message.data,
      gas: message.gasLimit,
      value: message.value,
    });
  };
  const onExit = ({ execResult, createdAddress }: EVMResult): void => {
    reportImplicitStop(tracer, execResult);
    tracer.onExit?.({
      depth: depths.pop() ?? 0,
      output: execResult.returnValue,
      gasUsed: execResult.executionGasUsed,
      error: gethErrorOf(execResult),
      createdAddress: createdAddress?.bytes,
    });
  };
  evm.events.on('step', onStep);
  evm.events.on('beforeMessage', onEnter);
  evm.events.on('afterMessage', onExit);
  return () => {
    evm.events.off('step', onStep);
    evm.events.off('beforeMessage', onEnter);
    evm.events.off('afterMessage', onExit);
  };
}

/** As geth shows it: the gas that a call hands on is part of its price (EIP-150). */
function gasCostOf({ opcode, gasLeft, stack }: InterpreterStep): bigint {
  const price = opcode.dynamicFee ?? BigInt(opcode.fee);
  if (!CALL_OPCODES.has(opcode.code) || price > gasLeft) return price;
  const available = gasLeft - price;
  const most = available - available / 64n;
  const requested = stack.at(-1) ?? 0n;
  return price + (requested < most ? requested : most);
}

/** Code that ends without a STOP stops all the same; geth shows that as a step, the library does not. */
function reportImplicitStop(tracer: EvmTracer, { exceptionError, runState }: ExecResult): void {
  if (exceptionError || !runState || ENDING_OPCODES.has(runState.opCode)) return;
  tracer.onStep?.({
    depth: runState.env.depth,
    programCounter: runState.programCounter,
    opcode: STOP,
    name: 'STOP',
    gas: runState.gasLeft,
    gasCost: 0n,
    refund: runState.gasRefund,
    address: runState.env.address.bytes,
    stack: runState.stack.getStack(),
    memory: runState.memory._store.slice(0, Number(runState.memoryWordCount) * 32),
  });
}

/** SELFDESTRUCT opens no frame in the library; call tracers show one that ends at once. */
function reportSelfdestruct(tracer: EvmTracer, step: InterpreterStep): void {
  const beneficiary = step.stack.at(-1);
  if (beneficiary === undefined) return;
  const depth = step.depth + 1;
  tracer.onEnter?.({
    kind: 'SELFDESTRUCT',
    depth,
    from: step.address.bytes,
    to: Buffer.from(beneficiary.toString(16).padStart(64, '0').slice(-40), 'hex'),
    input: NO_BYTES,
    gas: 0n,
    value: step.account.balance,
  });
  tracer.onExit?.({ depth, output: NO_BYTES, gasUsed: 0n, error: undefined, createdAddress: undefined });
}
