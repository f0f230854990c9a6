import { instructionOf, Op, opcodesOf } from '../../instructions/index.ts';
import { calleeGas, callGas, destroyRefund, handedOnGas, heirGas } from '../calls/index.ts';
import type { MessageScope } from '../frames/index.ts';
import {
  ACCESS_OUT_OF_GAS,
  ACCOUNT,
  GOES_ON,
  INIT_CODE_SIZE,
  INIT_WORD_GAS,
  MAX_INIT_CODE,
  OUT_OF_GAS,
  SELF,
  SENTRY,
} from '../memory/layout.ts';
import { slotReadGas, slotWritePrice } from './slotPrice.ts';

const COLD_ACCOUNT = 2_500;
const SSTORE_SENTRY = 2_300;
const CALLS = opcodesOf('call');
const CREATIONS = opcodesOf('creation');
const LOGS = opcodesOf('log');
const SLOTS = opcodesOf('storage');
const ACCOUNT_READS = opcodesOf('account');
/** To memory, whose length is the third operand. */
const COPIES = opcodesOf('copy');

/** What an opcode costs for its operands, besides constant gas and memory. */
export interface OperandPrice {
  readonly gas: number;
  readonly refund: number;
  /** GOES_ON, or why there is no price that could be paid. */
  readonly status: number;
}

/** Where the opcode's operands are, and the gas that there is. */
export interface GasLeft {
  readonly top: number;
  readonly gas: number;
  /** Behind constant gas and memory; below zero when they are not paid. */
  readonly left: number;
}

const FREE: OperandPrice = { gas: 0, refund: 0, status: GOES_ON };

/** Prices that depend on operands, and on what the state knows of them. Nothing here changes what is warm. */
export class OperandPrices {
  readonly #scope: MessageScope;

  constructor(scope: MessageScope) {
    this.#scope = scope;
  }

  /** Throws NoRoom. */
  of(record: number, opcode: number, purse: GasLeft): OperandPrice {
    const { top } = purse;
    if (opcode === Op.EXP) return costs(50 * byteLength(this.#word(top, 1)));
    if (opcode === Op.KECCAK256) return costs(6 * this.#words(top, 1));
    if (opcode === Op.EXTCODECOPY) return costs(this.#accountGas(top) + 3 * this.#words(top, 3));
    if (ACCOUNT_READS.has(opcode)) return costs(this.#accountGas(top));
    if (COPIES.has(opcode)) return costs(3 * this.#words(top, 2));
    if (SLOTS.has(opcode)) return this.#storage(record, opcode, purse);
    if (LOGS.has(opcode)) return costs(8 * Number(this.#word(top, 1)));
    if (CREATIONS.has(opcode)) return this.#creation(opcode, top);
    if (opcode === Op.SELFDESTRUCT) return this.#destruction(record, top);
    return CALLS.has(opcode) ? this.#call(opcode, purse) : FREE;
  }

  #word(top: number, depth: number): bigint {
    return this.#scope.memory.word(top - 32 * (depth + 1));
  }

  /** Of a length, in words. */
  #words(top: number, depth: number): number {
    return Math.ceil(Number(this.#word(top, depth)) / 32);
  }

  #slot(record: number, top: number): number {
    return this.#scope.journal.slotAt(this.#scope.memory.u32(record + ACCOUNT), top - 32);
  }

  #accountGas(top: number): number {
    const { accounts } = this.#scope;
    return accounts.isWarm(accounts.at(top - 32)) ? 0 : COLD_ACCOUNT;
  }

  #storage(record: number, opcode: number, { top, gas }: GasLeft): OperandPrice {
    if (opcode === Op.SLOAD) return costs(slotReadGas(this.#scope, this.#slot(record, top)));
    if (gas <= SSTORE_SENTRY) return { ...FREE, status: SENTRY };
    return { ...slotWritePrice(this.#scope, this.#slot(record, top), top - 64), status: GOES_ON };
  }

  #creation(opcode: number, top: number): OperandPrice {
    const { memory } = this.#scope;
    const length = Number(this.#word(top, 2));
    if (length > memory.u32(MAX_INIT_CODE)) return { ...FREE, status: INIT_CODE_SIZE };
    const hashGas = opcode === Op.CREATE2 ? 6 : 0;
    return costs((hashGas + memory.u32(INIT_WORD_GAS)) * Math.ceil(length / 32));
  }

  #destruction(record: number, top: number): OperandPrice {
    const { memory, accounts } = this.#scope;
    const self = memory.wordBytes(record + SELF, 20);
    const gas = heirGas(this.#scope, self, accounts.at(top - 32));
    return { gas, refund: destroyRefund(this.#scope, self), status: GOES_ON };
  }

  /** The gas that a call hands on is part of its price (EIP-150). */
  #call(opcode: number, { top, gas, left }: GasLeft): OperandPrice {
    const { accounts, memory } = this.#scope;
    const callee = accounts.at(top - 64);
    const paysValue = opcode === Op.CALL || opcode === Op.CALLCODE;
    const value = paysValue && !memory.isZeroWord(top - 96) ? this.#word(top, 2) : 0n;
    const own = callGas(this.#scope, { isCall: opcode === Op.CALL, callee, value });
    const available = left - own;
    if (available < 0) {
      const isLookPaid = gas - instructionOf(opcode).gas >= calleeGas(accounts, callee);
      return { gas: own, refund: 0, status: isLookPaid ? OUT_OF_GAS : ACCESS_OUT_OF_GAS };
    }
    return costs(own + handedOnGas(Number(this.#word(top, 0)), available));
  }
}

function costs(gas: number): OperandPrice {
  return { gas, refund: 0, status: GOES_ON };
}

function byteLength(word: bigint): number {
  return word === 0n ? 0 : Math.ceil(word.toString(16).length / 2);
}
