import { EVM_PREFIX, STORE } from '../state/schema/index.ts';
import type { Overlay, PointReads } from '../state/view/index.ts';
import { prefixedKey } from './rowRange.ts';

/** The chain account (20 bytes) that an EVM address is associated with. */
export function readChainAddress(state: PointReads, evmAddress: Uint8Array): Uint8Array | undefined {
  return state.get(STORE.evm, prefixedKey(EVM_PREFIX.chainAddress, evmAddress));
}

/** The EVM address that a chain account is associated with. */
export function readEvmAddress(state: PointReads, chainAddress: Uint8Array): Uint8Array | undefined {
  return state.get(STORE.evm, prefixedKey(EVM_PREFIX.evmAddress, chainAddress));
}

export function writeAssociation(overlay: Overlay, evmAddress: Uint8Array, chainAddress: Uint8Array): void {
  overlay.set(STORE.evm, prefixedKey(EVM_PREFIX.chainAddress, evmAddress), chainAddress);
  overlay.set(STORE.evm, prefixedKey(EVM_PREFIX.evmAddress, chainAddress), evmAddress);
}
