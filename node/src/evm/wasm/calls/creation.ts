import { equalBytes, mapKeyOf } from '../../../primitives/index.ts';
import { create2Address, createAddress } from '../../contractAddress.ts';
import { hasFork } from '../../fork/evmFork.ts';
import { Op } from '../../instructions/index.ts';
import { EMPTY_CODE_HASH } from '../../stateReads.ts';
import { placeCode, placedBytes } from '../code/index.ts';
import type { MessageScope } from '../frames/index.ts';
import {
  BALANCE_ERROR,
  DEPTH_ERROR,
  type Frame,
  freeAbove,
  type Outcome,
  openFrame,
} from '../frames/index.ts';
import {
  CODE,
  GAS,
  OUTPUT,
  OUTPUT_LENGTH,
  PROGRAM_COUNTER,
  RETURN_LENGTH,
  STACK_TOP,
} from '../memory/layout.ts';
import type { Account } from '../tables/index.ts';

const COLLISION_ERROR = 'contract address collision';
const MAX_NONCE = 2n ** 64n - 1n;
const MAX_CODE_BYTES = 24_576;
const DEPOSIT_GAS = 200;
const EOF_MARK = 0xef;
/** Init code of this size may be a call in disguise, as nodes are asked again and again; what deploys is longer. */
const REPEATED_BYTES = 2048;
/** No key of a deployed code has this character: each of theirs is a byte of a hash. */
const INIT_CODE = '\u0100';

/** A contract to create, whoever asks for it. */
export interface Creation {
  readonly kind: 'CREATE' | 'CREATE2';
  readonly creator: Account;
  readonly created: Account;
  /** Wei. */
  readonly value: bigint;
  readonly gas: number;
  readonly initCode: Uint8Array;
}

/** CREATE and CREATE2. Gives an outcome when nothing is to run. */
export function createByOpcode(execution: MessageScope, frame: Frame): Outcome | undefined {
  const { memory, accounts } = execution;
  const { state } = execution.host;
  const { record, self: creator } = frame;
  const self = creator.address;
  const top = memory.u32(record + STACK_TOP);
  const value = memory.word(top - 32);
  const available = memory.i64(record + GAS);
  const gas = available - Math.floor(available / 64);
  memory.setI64(record + GAS, available - gas);
  memory.setU32(RETURN_LENGTH, 0);
  const nonce = state.nonce(self);
  const refusal = execution.isDeepest
    ? DEPTH_ERROR
    : refusalOf(state.balance(self) < value, nonce === MAX_NONCE);
  if (refusal && !execution.watch) return { error: refusal, gasLeft: gas };
  const { kind, address, initCode } = plannedCreation(execution, frame);
  execution.watch?.look({ kind: 'creation', address });
  if (refusal) {
    execution.watch?.enter({ kind, from: self, to: address, input: initCode, gas, value });
    execution.watch?.exit({ error: refusal, gasUsed: 0 });
    return { error: refusal, gasLeft: gas };
  }
  state.setNonce(self, nonce + 1n);
  const created = accounts.of(address);
  return openCreation(execution, frame, { kind, creator, created, value, gas, initCode });
}

/** What the creation that a frame asks for comes to, once its memory is paid. */
export function plannedCreation(
  { memory, host }: MessageScope,
  { record, self: { address: self } }: Frame,
): { readonly kind: Creation['kind']; readonly address: Uint8Array; readonly initCode: Uint8Array } {
  const initCode = memory.slice(memory.u32(record + OUTPUT), memory.u32(record + OUTPUT_LENGTH));
  const opcode = memory.bytes[memory.u32(record + CODE) + memory.u32(record + PROGRAM_COUNTER)];
  if (opcode !== Op.CREATE2) {
    return { kind: 'CREATE', address: createAddress(self, host.state.nonce(self)), initCode };
  }
  const salt = memory.wordBytes(memory.u32(record + STACK_TOP) - 128, 32);
  return { kind: 'CREATE2', address: create2Address(self, salt, initCode), initCode };
}

function refusalOf(isPoor: boolean, isWorn: boolean): string | undefined {
  if (isPoor) return BALANCE_ERROR;
  return isWorn ? 'nonce uint64 overflow' : undefined;
}

/** The creator's nonce has moved already. */
export function openCreation(
  execution: MessageScope,
  parent: Frame | undefined,
  creation: Creation,
): Outcome | undefined {
  const { memory, journal, accounts } = execution;
  const { state } = execution.host;
  const { creator, created, value, gas, initCode } = creation;
  const { address } = created;
  accounts.warm(created);
  const { kind } = creation;
  execution.watch?.enter({
    kind,
    from: creator.address,
    to: address,
    input: initCode,
    gas,
    value,
  });
  if (state.nonce(address) > 0n || !equalBytes(state.codeHash(address), EMPTY_CODE_HASH)) {
    execution.watch?.exit({ error: COLLISION_ERROR, gasUsed: gas });
    return { error: COLLISION_ERROR, gasLeft: 0, created };
  }
  const mark = journal.mark();
  state.markCreated(address);
  state.setNonce(address, 1n);
  execution.transfer(creator.address, address, value);
  if (initCode.length === 0) {
    execution.watch?.exit({ error: undefined, gasUsed: 0 });
    return { error: undefined, gasLeft: gas, created };
  }
  const at = freeAbove(memory, parent);
  const memoryAt = freeAbove(memory, parent, placedBytes(initCode.length));
  execution.reserve(memoryAt);
  const key = initCode.length <= REPEATED_BYTES ? INIT_CODE + mapKeyOf(initCode) : undefined;
  const code = placeCode(memory, at, initCode, key);
  const start = { self: created, caller: creator, value, created, mark, code, gas, memoryAt };
  execution.push(openFrame(memory, parent, { ...start, isStatic: false, inputAt: 0, inputLength: 0 }));
  return undefined;
}

/** Keeps what init code returned as the contract's code. Gives what is left of `gas`, or why it is not kept. */
export function depositCode(
  execution: MessageScope,
  { address }: Account,
  frame: Frame,
  gas: number,
): number | string {
  const { memory } = execution;
  const length = memory.u32(frame.record + OUTPUT_LENGTH);
  const code = memory.slice(memory.u32(frame.record + OUTPUT), length);
  if (length > MAX_CODE_BYTES) return 'max code size exceeded';
  if (code[0] === EOF_MARK && hasFork(execution.host.block.fork, 'london'))
    return 'invalid code: must not begin with 0xef';
  if (gas < DEPOSIT_GAS * length) return 'contract creation code storage out of gas';
  execution.host.state.setCode(address, code);
  execution.accounts.noteCodeChange();
  return gas - DEPOSIT_GAS * length;
}
