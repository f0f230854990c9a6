import type { Overlay, PointReads } from '../state/view/index.ts';

// The rows live in the EVM's store (json-rpc.md §6.3), though the ledger owns what they mean.
const STORE = 'evm';
const CHAIN_ADDRESS_OF = 0x01;
const EVM_ADDRESS_OF = 0x02;

/** The chain account (20 bytes) that an EVM address is associated with. */
export function readChainAddress(state: PointReads, evmAddress: Uint8Array): Uint8Array | undefined {
  return state.get(STORE, rowKey(CHAIN_ADDRESS_OF, evmAddress));
}

/** The EVM address that a chain account is associated with. */
export function readEvmAddress(state: PointReads, chainAddress: Uint8Array): Uint8Array | undefined {
  return state.get(STORE, rowKey(EVM_ADDRESS_OF, chainAddress));
}

export function writeAssociation(overlay: Overlay, evmAddress: Uint8Array, chainAddress: Uint8Array): void {
  overlay.set(STORE, rowKey(CHAIN_ADDRESS_OF, evmAddress), chainAddress);
  overlay.set(STORE, rowKey(EVM_ADDRESS_OF, chainAddress), evmAddress);
}

function rowKey(prefix: number, address: Uint8Array): Uint8Array {
  const key = new Uint8Array(1 + address.length);
  key[0] = prefix;
  key.set(address, 1);
  return key;
}
