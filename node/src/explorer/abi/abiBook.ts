import {
  type ErrorFragment,
  type EventFragment,
  type FunctionFragment,
  Interface,
  type InterfaceAbi,
  type ParamType,
  type Result,
} from 'ethers';
import { PRECOMPILE_ABIS } from '../../evm/index.ts';
import { ContractNames } from './contractNames.ts';
import { type DecodedValue, decodedValue } from './decodedValue.ts';
import { ADDRESS_PRECOMPILE, WELL_KNOWN } from './wellKnown.ts';

/** What a call, a log or an error says once it is decoded. */
export interface Decoded {
  readonly name: string;
  /** `transfer(address,uint256)`. */
  readonly signature: string;
  readonly values: readonly DecodedValue[];
}

/** Offsets of an ABI may lead to one place again and again, so what is decoded is bounded by its bytes. */
const MAX_DECODED_BYTES = 16 * 1024;

/** PUSH4 and four bytes; looks ahead, so that bytes which overlap are found. */
const PUSHED_SELECTOR = /(?=63([0-9a-f]{8}))/g;

interface Known<F> {
  readonly source: Interface;
  readonly fragment: F;
}

/** Functions, events and errors by what names them on the chain: the first four bytes, or the first topic. */
export class AbiBook {
  readonly names = new ContractNames();
  readonly #functions = new Map<string, Known<FunctionFragment>>();
  readonly #events = new Map<string, Known<EventFragment>>();
  readonly #errors = new Map<string, Known<ErrorFragment>>();

  /** With the ABIs of the precompiles and of usual tokens. What comes later counts before what was there. */
  constructor() {
    for (const abi of [WELL_KNOWN, ADDRESS_PRECOMPILE, ...Object.values(PRECOMPILE_ABIS)]) {
      this.add(new Interface(abi as InterfaceAbi));
    }
  }

  add(source: Interface): void {
    source.forEachFunction((fragment) => this.#functions.set(fragment.selector, { source, fragment }));
    source.forEachEvent((fragment) => this.#events.set(eventKey(fragment), { source, fragment }));
    source.forEachError((fragment) => this.#errors.set(fragment.selector, { source, fragment }));
  }

  /** Known functions whose selector code compares with, in the order of their names. */
  functionsIn(code: string): readonly FunctionFragment[] {
    const pushed = new Set<string>();
    for (const [, selector] of code.matchAll(PUSHED_SELECTOR)) pushed.add(`0x${selector}`);
    const found = [...pushed].flatMap((selector) => this.#functions.get(selector)?.fragment ?? []);
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The name of a call's function, and `undefined` for plain transfers and unknown functions. */
  functionName(input: string): string | undefined {
    return this.#functions.get(input.slice(0, 10))?.fragment.name;
  }

  /** `undefined`: unknown, too long, or no encoding of its arguments. */
  call(input: string): Decoded | undefined {
    const known = this.#functions.get(input.slice(0, 10));
    if (!known || isTooLong(input)) return undefined;
    const { source, fragment } = known;
    return decoded(fragment, fragment.inputs, () => source.decodeFunctionData(fragment, input));
  }

  /** What a call of a function gave. */
  output(input: string, output: string): Decoded | undefined {
    const known = this.#functions.get(input.slice(0, 10));
    if (!known || isTooLong(output)) return undefined;
    const { source, fragment } = known;
    return decoded(fragment, fragment.outputs, () => source.decodeFunctionResult(fragment, output));
  }

  log(topics: readonly string[], data: string): Decoded | undefined {
    const known = this.#events.get(`${topics[0]}/${topics.length - 1}`);
    if (!known || isTooLong(data)) return undefined;
    const { source, fragment } = known;
    return decoded(fragment, fragment.inputs, () => source.decodeEventLog(fragment, data, topics));
  }

  /** What a frame that failed gave back. */
  error(output: string): Decoded | undefined {
    const known = this.#errors.get(output.slice(0, 10));
    if (!known || isTooLong(output)) return undefined;
    const { source, fragment } = known;
    return decoded(fragment, fragment.inputs, () => source.decodeErrorResult(fragment, output));
  }
}

/** Events of one signature differ in how many of their values are topics: ERC-20's `Transfer` and ERC-721's. */
function eventKey({ topicHash, inputs }: EventFragment): string {
  return `${topicHash}/${inputs.filter(({ indexed }) => indexed).length}`;
}

function isTooLong(hex: string): boolean {
  return hex.length > 2 + 2 * MAX_DECODED_BYTES;
}

/** The library throws for bytes that are no encoding: at once, or when a value is read. */
function decoded(
  fragment: FunctionFragment | EventFragment | ErrorFragment,
  parameters: readonly ParamType[],
  decode: () => Result,
): Decoded | undefined {
  try {
    const values = decode();
    return {
      name: fragment.name,
      signature: fragment.format('sighash'),
      values: parameters.map((parameter, i) => decodedValue(parameter, values[i])),
    };
  } catch {
    return undefined;
  }
}
