import { concatBytes, equalBytes, hexToBytes, keccak256, utf8 } from '../../primitives/index.ts';
import { EVM_PREFIX, STORE } from '../../state/schema/index.ts';
import type { Overlay, PointReads } from '../../state/view/index.ts';

const POINTER_OF = Uint8Array.of(EVM_PREFIX.pointer, 0x00);
const POINTEE_OF = Uint8Array.of(EVM_PREFIX.pointee);
const VERSION_BYTES = 2;

/** Who registers pointers on the EVM's side, and in whose name their addresses are derived. */
export const POINTER_PRECOMPILE_ADDRESS = hexToBytes('000000000000000000000000000000000000100b');

/** The contract that pointers are made with today; registered ones keep theirs. */
export const POINTER_VERSION = 1;

const CREATE2_MARK = Uint8Array.of(0xff);
const NO_CODE_HASH = keccak256(new Uint8Array(0));

/** The contract that shows a bank denomination as an ERC-20 token. */
export interface Pointer {
  /** 20 bytes. */
  readonly address: Uint8Array;
  readonly version: number;
}

/**
 * Where the pointer of a denomination is, or would be: CREATE2 by the pointer precompile with the denomination's
 * keccak256 as salt and no init code, so that the address outlives versions of the contract.
 */
export function pointerAddressOf(denomination: string): Uint8Array {
  const salt = keccak256(utf8(denomination));
  return keccak256(concatBytes(CREATE2_MARK, POINTER_PRECOMPILE_ADDRESS, salt, NO_CODE_HASH)).subarray(12);
}

export function readPointer(state: PointReads, denomination: string): Pointer | undefined {
  const row = state.get(STORE.evm, concatBytes(POINTER_OF, utf8(denomination)));
  if (!row) return undefined;
  const version = (row[0]! << 8) | row[1]!;
  return { address: row.subarray(VERSION_BYTES), version };
}

/** The denomination that the contract at an EVM address is the pointer of. */
export function readPointee(state: PointReads, address: Uint8Array): string | undefined {
  const row = state.get(STORE.evm, concatBytes(POINTEE_OF, address));
  return row && Buffer.from(row).toString('utf8');
}

export function writePointer(overlay: Overlay, denomination: string, { address, version }: Pointer): void {
  const versionBytes = Uint8Array.of(version >> 8, version & 0xff);
  overlay.set(STORE.evm, concatBytes(POINTER_OF, utf8(denomination)), concatBytes(versionBytes, address));
  overlay.set(STORE.evm, concatBytes(POINTEE_OF, address), utf8(denomination));
}

/** Whether this contract may move the denomination: nobody but its pointer may. */
export function isPointerOf(state: PointReads, address: Uint8Array, denomination: string): boolean {
  const pointer = readPointer(state, denomination);
  return pointer !== undefined && equalBytes(pointer.address, address);
}
