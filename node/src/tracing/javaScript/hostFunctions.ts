import {
  create2Address,
  createAddress,
  type EvmFork,
  isStandardPrecompile,
  type TracedState,
  type TracedStep,
} from '../../evm/index.ts';
import { bytesToBigint, bytesToHex, hexToBytes } from '../../primitives/index.ts';
import { tracingFailed } from '../tracer.ts';
import type { HostFunctions } from './sandbox.ts';

/** Of the frame that runs. */
export interface ContractView {
  readonly caller: Uint8Array;
  readonly value: bigint;
  readonly input: Uint8Array;
}

/** What the tracer looks at, as it is when it looks. */
export interface Views {
  readonly state: () => TracedState;
  readonly fork: () => EvmFork;
  readonly step: () => TracedStep | undefined;
  readonly contract: () => ContractView | undefined;
}

const WORD = 32;
/** A tracer that asks for more than this of memory that is not there is in error. */
const MAX_PADDING = 1024 * 1024;
const NO_BYTES = new Uint8Array(0);

/** What the sandbox may ask; bytes in hex, amounts in decimal. */
export function hostFunctions({ state, fork, step, contract }: Views): HostFunctions {
  const stack = () => step()?.stack ?? [];
  const memory = () => step()?.memory ?? NO_BYTES;
  return {
    stackLength: () => stack().length,
    stackPeek: (index: number) => {
      const word = stack().at(-1 - index);
      if (word !== undefined && index >= 0) return word.toString();
      throw tracingFailed(`tracer accessed out of bound stack: size ${stack().length}, index ${index}`);
    },
    memoryLength: () => memory().length,
    memorySlice: (begin: number, end: number) => memorySlice(memory(), begin, end),
    memoryUint: (offset: number) => {
      const bytes = memory();
      if (offset >= 0 && offset + WORD <= bytes.length) {
        return bytesToBigint(bytes.subarray(offset, offset + WORD)).toString();
      }
      throw tracingFailed(
        `tracer accessed out of bound memory: available ${bytes.length}, offset ${offset}, size ${WORD}`,
      );
    },
    caller: () => bytesToHex(contract()?.caller ?? NO_BYTES),
    address: () => bytesToHex(step()?.address ?? NO_BYTES),
    value: () => (contract()?.value ?? 0n).toString(),
    input: () => bytesToHex(contract()?.input ?? NO_BYTES),
    balance: (of: string) => state().balance(hexToBytes(of)).toString(),
    nonce: (of: string) => Number(state().nonce(hexToBytes(of))),
    code: (of: string) => bytesToHex(state().code(hexToBytes(of))),
    storage: (of: string, slot: string) => bytesToHex(state().storage(hexToBytes(of), hexToBytes(slot))),
    exists: (of: string) => !state().isEmpty(hexToBytes(of)),
    isPrecompiled: (of: string) => isStandardPrecompile(hexToBytes(of), fork()),
    createAddress: (from: string, nonce: number) =>
      bytesToHex(createAddress(hexToBytes(from), BigInt(nonce))),
    create2Address: (from: string, salt: string, code: string) =>
      bytesToHex(create2Address(hexToBytes(from), hexToBytes(salt), hexToBytes(code))),
  };
}

function memorySlice(bytes: Uint8Array, begin: number, end: number): string {
  if (begin === end) return '';
  if (begin < 0 || end < begin || end - bytes.length > MAX_PADDING) {
    throw tracingFailed(`tracer accessed out of bound memory: offset ${begin}, end ${end}`);
  }
  const slice = new Uint8Array(end - begin);
  slice.set(bytes.subarray(begin, end));
  return bytesToHex(slice);
}
