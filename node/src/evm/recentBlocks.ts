import { bytesToUint64, concatBytes, hexToBytes, padLeft, uint64ToBytes } from '../primitives/index.ts';
import { EVM_PREFIX, STORE } from '../state/schema/index.ts';
import type { Overlay, PointReads } from '../state/view/index.ts';
import type { EvmState } from './evmState.ts';
import { readCodeSize, storageKey } from './stateReads.ts';

/** A decided block as the next ones may ask for it. */
export interface BlockMark {
  readonly height: number;
  /** Header hash, 32 bytes. */
  readonly hash: Uint8Array;
}

/** The system contract of EIP-2935: its storage is a ring of the newest parent hashes. */
export const BLOCK_HASHES_CONTRACT = hexToBytes('0000f90827f1c53a10cb7a02335b175320002935');
const CODE = hexToBytes(
  '3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff8143031160425761' +
    '1fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500',
);
/** HISTORY_SERVE_WINDOW: how many hashes the ring holds. */
const WINDOW = 8191;
const NEWEST_KEY = Uint8Array.of(EVM_PREFIX.newestBlock);

/** Puts EIP-2935's contract into a genesis that does not bring it. */
export function initRecentBlocks(state: EvmState): void {
  if (readCodeSize(state.overlay, BLOCK_HASHES_CONTRACT) > 0) return;
  state.setNonce(BLOCK_HASHES_CONTRACT, 1n);
  state.setCode(BLOCK_HASHES_CONTRACT, CODE);
}

/** Ends a block: keeps its hash until the next one begins. State alone tells it then, also after a restore. */
export function writeNewestBlock(overlay: Overlay, { height, hash }: BlockMark): void {
  overlay.set(STORE.evm, NEWEST_KEY, concatBytes(uint64ToBytes(BigInt(height)), hash));
}

/** Begins a block: puts the parent's hash into the ring (EIP-2935). Nothing happens where there is no parent. */
export function recordParent(overlay: Overlay): void {
  const parent = readNewestBlock(overlay);
  if (parent) overlay.set(STORE.evm, slotKey(parent.height), parent.hash);
}

/**
 * BLOCKHASH in a block at height `below`, from state before or after that block: the same on every node, whatever
 * blocks it holds. `undefined` for a block that is not below, or older than the ring.
 */
export function recentHashes(state: PointReads, below: number): (height: number) => Uint8Array | undefined {
  let newest: BlockMark | undefined;
  return (height) => {
    newest ??= readNewestBlock(state);
    if (!newest || height < 0 || height >= below || height > newest.height) return undefined;
    if (height === newest.height) return newest.hash;
    return height < newest.height - WINDOW ? undefined : state.get(STORE.evm, slotKey(height));
  };
}

function readNewestBlock(state: PointReads): BlockMark | undefined {
  const row = state.get(STORE.evm, NEWEST_KEY);
  return row && { height: Number(bytesToUint64(row.subarray(0, 8))), hash: row.subarray(8) };
}

function slotKey(height: number): Uint8Array {
  return storageKey(BLOCK_HASHES_CONTRACT, padLeft(uint64ToBytes(BigInt(height % WINDOW)), 32));
}
