import type { Overlay, PointReads } from '../state/view/index.ts';
import { prefixedKey } from './rowRange.ts';

// The rows live in the EVM's store (json-rpc.md §6.3), though the ledger owns what they mean.
const STORE = 'evm';
const CHAIN_ADDRESS_OF = 0x01;
const EVM_ADDRESS_OF = 0x02;

/** The chain account (20 bytes) that an EVM address is associated with. */
export function readChainAddress(state: PointReads, evmAddress: Uint8Array): Uint8Array | undefined {
  return state.get(STORE, prefixedKey(CHAIN_ADDRESS_OF, evmAddress));
}

/** The EVM address that a chain account is associated with. */
export function readEvmAddress(state: PointReads, chainAddress: Uint8Array): Uint8Array | undefined {
  return state.get(STORE, prefixedKey(EVM_ADDRESS_OF, chainAddress));
}

export function writeAssociation(overlay: Overlay, evmAddress: Uint8Array, chainAddress: Uint8Array): void {
  overlay.set(STORE, prefixedKey(CHAIN_ADDRESS_OF, evmAddress), chainAddress);
  overlay.set(STORE, prefixedKey(EVM_ADDRESS_OF, chainAddress), evmAddress);
}
