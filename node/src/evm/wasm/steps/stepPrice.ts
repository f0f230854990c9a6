import { gasBeforeOperands, instructionOf, isInstruction } from '../../instructions/index.ts';
import { MAX_MEMORY, memoryEnd } from '../../memoryOverflow.ts';
import type { Frame, MessageScope } from '../frames/index.ts';
import {
  GAS,
  GOES_ON,
  INIT_CODE_SIZE,
  MEMORY_SIZE,
  OUT_OF_GAS,
  OUT_OF_GAS_PLAIN,
  SENTRY,
  STACK_BOTTOM,
  STACK_OVERFLOW,
  STACK_TOP,
  STACK_UNDERFLOW,
} from '../memory/layout.ts';
import type { OperandPrices } from './operandPrices.ts';

const STACK_LIMIT = 1024;

/** What a step costs as geth shows it, and how its frame will end if it cannot run. */
export interface StepPrice {
  readonly gasCost: bigint;
  /** By how much the refund counter moves. */
  readonly refund: number;
  /** GOES_ON, or how the frame will end for want of stack or gas. */
  readonly status: number;
}

/** Prices of opcodes before they run. geth looks at the stack, constant gas, memory, the rest, in this order. */
export class StepPrices {
  readonly #scope: MessageScope;
  readonly #operands: OperandPrices;
  /** Which opcodes the fork has. */
  readonly #exists: readonly boolean[];

  constructor(scope: MessageScope, operands: OperandPrices) {
    this.#scope = scope;
    this.#operands = operands;
    const { fork } = scope.host.block;
    this.#exists = Array.from({ length: 256 }, (_, opcode) => isInstruction(opcode, fork));
  }

  of({ record }: Frame, opcode: number): StepPrice {
    const { memory } = this.#scope;
    // It fails when it runs.
    if (!this.#exists[opcode]) return unpriced(0, GOES_ON);
    const fixed = gasBeforeOperands(opcode);
    const gas = memory.i64(record + GAS);
    const top = memory.u32(record + STACK_TOP);
    const status = stackStatus(opcode, (top - memory.u32(record + STACK_BOTTOM)) / 32);
    if (status !== GOES_ON) return unpriced(fixed, status);
    if (fixed > gas) return unpriced(fixed, OUT_OF_GAS_PLAIN);
    const end = memoryEnd(opcode, (depth) => memory.word(top - 32 * (depth + 1)));
    if (end > MAX_MEMORY) return unpriced(fixed, OUT_OF_GAS);
    const memoryGas = end === 0n ? 0n : expansionGas(end, memory.u32(record + MEMORY_SIZE));
    const constant = instructionOf(opcode).gas;
    const left = gas - constant - Number(memoryGas);
    const { gas: dynamic, refund, status: failure } = this.#operands.of(record, opcode, { top, gas, left });
    if (failure === SENTRY || failure === INIT_CODE_SIZE) return unpriced(fixed, failure);
    const gasCost = BigInt(constant + dynamic) + memoryGas;
    if (failure !== GOES_ON) return { gasCost, refund, status: failure };
    return { gasCost, refund, status: gasCost > gas ? OUT_OF_GAS : GOES_ON };
  }
}

/** There is nothing to price, or no price that could be told, beyond what is constant. */
function unpriced(fixed: number, status: number): StepPrice {
  return { gasCost: BigInt(fixed), refund: 0, status };
}

function stackStatus(opcode: number, height: number): number {
  const { takes, gives } = instructionOf(opcode);
  if (height < takes) return STACK_UNDERFLOW;
  return height + gives - takes > STACK_LIMIT ? STACK_OVERFLOW : GOES_ON;
}

function expansionGas(end: bigint, size: number): bigint {
  if (end <= size) return 0n;
  return memoryGas((end + 31n) >> 5n) - memoryGas(BigInt(size) >> 5n);
}

function memoryGas(words: bigint): bigint {
  return 3n * words + (words * words) / 512n;
}
