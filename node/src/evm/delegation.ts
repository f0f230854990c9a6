import { concatBytes } from '../primitives/index.ts';

const DELEGATION_PREFIX = Uint8Array.of(0xef, 0x01, 0x00);
/** Of code that delegates. */
export const DELEGATION_BYTES = 23;

/** The account that `code` delegates to (EIP-7702), or `undefined` when it is not a delegation. */
export function delegationTarget(code: Uint8Array): Uint8Array | undefined {
  const isDelegation =
    code.length === DELEGATION_BYTES && DELEGATION_PREFIX.every((byte, i) => code[i] === byte);
  return isDelegation ? code.subarray(DELEGATION_PREFIX.length) : undefined;
}

/** The code of an account that delegates to `target`: 0xef0100 ‖ target. */
export function delegationCode(target: Uint8Array): Uint8Array {
  return concatBytes(DELEGATION_PREFIX, target);
}
