import { type EVM, EVMError } from '@ethereumjs/evm';
import type { FrameKind, TracedLog } from '../evmTracer.ts';
import { Op, opcodesOf } from '../instructions/index.ts';
import { type OpcodeEntry, opcodeTable, type RunState } from './opcodeTable.ts';
import { type GasFailure, isLibraryError } from './stepErrors.ts';

const { errorMessages } = EVMError;
const FRAME_OPCODES: ReadonlyMap<number, FrameKind> = new Map([
  [Op.CREATE, 'CREATE'],
  [Op.CALL, 'CALL'],
  [Op.CALLCODE, 'CALLCODE'],
  [Op.DELEGATECALL, 'DELEGATECALL'],
  [Op.CREATE2, 'CREATE2'],
  [Op.STATICCALL, 'STATICCALL'],
]);
const NO_BYTES = new Uint8Array(0);
const LOGS = opcodesOf('log');
const CALLS = opcodesOf('call');
/** What a static frame may not run; CALL only when it sends value. */
const WRITES = [Op.SSTORE, ...LOGS, Op.CREATE, Op.CALL, Op.CREATE2, Op.SELFDESTRUCT];

/** An opcode that is about to open a frame; its operands are still on the stack. */
export interface OpenedBy {
  readonly kind: FrameKind;
  readonly state: RunState;
  /** From the top. */
  readonly operands: readonly bigint[];
  /** What the frame gets, without a stipend. */
  readonly gas: bigint;
}

/** What the library's events do not tell. */
export interface OpcodeWatcher {
  opening(by: OpenedBy): void;
  /** The opcode has run; told whether or not a frame came of it. */
  opened(by: OpenedBy): void;
  destroying(state: RunState, beneficiary: bigint): void;
  log(log: TracedLog): void;
  /** What a call must pay to look at its callee, before all else: EIP-2929, EIP-7702. */
  accessGas(callee: bigint): bigint;
  /** Before the step is told. */
  gasFailed(failure: GasFailure): void;
}

/**
 * Puts the watcher into an instance's opcodes, and geth's order of checks: what a static frame may not write and
 * what lies outside of the return data fails when the opcode runs, after its gas is known. Either way the frame
 * loses all its gas. Returns the function that puts everything back.
 */
export function wrapOpcodes(evm: EVM, watcher: OpcodeWatcher): () => void {
  const table = opcodeTable(evm);
  const kept = table.map(({ opHandler, gasHandler }) => ({ opHandler, gasHandler }));
  deferReturnDataCheck(table);
  deferRevertRead(table[Op.REVERT]!);
  for (const opcode of WRITES) deferStaticCheck(table[opcode]!, opcode === Op.CALL);
  for (const [opcode, kind] of FRAME_OPCODES) watchFrame(table[opcode]!, kind, watcher);
  for (const opcode of LOGS) watchLog(table[opcode]!, watcher);
  watchSelfdestruct(table[Op.SELFDESTRUCT]!, watcher);
  for (const entry of table) if (entry.opcodeInfo.dynamicGas) watchGas(entry, watcher);
  return () => {
    for (const [opcode, handlers] of kept.entries()) Object.assign(table[opcode]!, handlers);
  };
}

function trap(error: EVMError['error']): never {
  throw new EVMError(error);
}

function deferStaticCheck(entry: OpcodeEntry, isCall: boolean): void {
  const { gasHandler, opHandler } = entry;
  const writes = (state: RunState): boolean =>
    state.interpreter._env.isStatic && (!isCall || state.stack.peek(3)[2] !== 0n);
  entry.gasHandler = async (state, gas, common) => {
    const env = state.interpreter._env;
    const { isStatic } = env;
    env.isStatic = false;
    try {
      return await gasHandler(state, gas, common);
    } finally {
      env.isStatic = isStatic;
    }
  };
  entry.opHandler = (state, common) =>
    writes(state) ? trap(errorMessages.STATIC_STATE_CHANGE) : opHandler(state, common);
}

/** Both copies have the same operands and the same price. */
function deferReturnDataCheck(table: readonly OpcodeEntry[]): void {
  const entry = table[Op.RETURNDATACOPY]!;
  const { opHandler } = entry;
  entry.gasHandler = table[Op.CALLDATACOPY]!.gasHandler;
  entry.opHandler = (state, common) => {
    const [, offset, length] = state.stack.peek(3);
    if (offset! + length! > BigInt(state.returnBytes.length)) trap(errorMessages.OUT_OF_GAS);
    return opHandler(state, common);
  };
}

/** For its event, which nobody asks for it, the library reads what a REVERT gives back before that is paid for. */
function deferRevertRead(entry: OpcodeEntry): void {
  const { gasHandler, opHandler } = entry;
  entry.gasHandler = (state, gas, common) => {
    state.memory.read = () => NO_BYTES;
    return gasHandler(state, gas, common);
  };
  entry.opHandler = (state, common) => {
    // The class's own again.
    delete (state.memory as Partial<RunState['memory']>).read;
    return opHandler(state, common);
  };
}

function watchFrame(entry: OpcodeEntry, kind: FrameKind, watcher: OpcodeWatcher): void {
  const { opHandler } = entry;
  entry.opHandler = async (state, common) => {
    const operands = state.stack.peek(Math.min(state.stack.length, 7));
    const by = { kind, state, operands, gas: state.messageGasLimit ?? 0n };
    watcher.opening(by);
    await opHandler(state, common);
    watcher.opened(by);
  };
}

function watchLog(entry: OpcodeEntry, watcher: OpcodeWatcher): void {
  const { opHandler } = entry;
  entry.opHandler = (state, common) => {
    opHandler(state, common);
    const [address, topics, data] = state.interpreter._result.logs.at(-1)!;
    watcher.log({ address, topics, data });
  };
}

function watchSelfdestruct(entry: OpcodeEntry, watcher: OpcodeWatcher): void {
  const { opHandler } = entry;
  entry.opHandler = (state, common) => {
    const writesInStatic = state.interpreter._env.isStatic;
    if (!writesInStatic) watcher.destroying(state, state.stack.peek(1)[0]!);
    return opHandler(state, common);
  };
}

function watchGas(entry: OpcodeEntry, watcher: OpcodeWatcher): void {
  const { gasHandler } = entry;
  entry.gasHandler = async (state, gas, common) => {
    const isCall = CALLS.has(state.opCode) && state.stack.length > 1;
    const accessGas = isCall ? watcher.accessGas(state.stack.peek(2)[1]!) : 0n;
    try {
      return await gasHandler(state, gas, common);
    } catch (error) {
      if (isLibraryError(error)) watcher.gasFailed({ error, state, accessGas });
      throw error;
    }
  };
}
