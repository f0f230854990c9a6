import type { EVM } from '@ethereumjs/evm';
import type { Address } from '@ethereumjs/util';
import type { EvmState } from '../evmState.ts';

type LibraryJournal = EVM['journal'];

/** Parts of the library's journal that its interpreter calls. */
type JournalCalls = Pick<
  LibraryJournal,
  | 'putAccount'
  | 'deleteAccount'
  | 'checkpoint'
  | 'commit'
  | 'revert'
  | 'isWarmedAddress'
  | 'addWarmedAddress'
  | 'isWarmedStorage'
  | 'addWarmedStorage'
  | 'addAlwaysWarmAddress'
>;

/** Keeps the warm set in the EvmState, so that it follows the state's marks and outlives the engine's run. */
export function journalOver(state: EvmState, stateManager: EVM['stateManager']): LibraryJournal {
  const calls: JournalCalls = {
    putAccount: (address, account) => stateManager.putAccount(address, account),
    deleteAccount: (address) => stateManager.deleteAccount(address),
    checkpoint: () => stateManager.checkpoint(),
    commit: () => stateManager.commit(),
    revert: () => stateManager.revert(),
    isWarmedAddress: (address) => state.isWarmAddress(address),
    addWarmedAddress: (address) => state.warmAddress(address),
    isWarmedStorage: (address, slot) => state.isWarmSlot(address, slot),
    addWarmedStorage: (address, slot) => {
      state.warmAddress(address);
      state.warmSlot(address, slot);
    },
    addAlwaysWarmAddress: (address) => state.warmAddress(Buffer.from(address.slice(2), 'hex')),
  };
  return calls as LibraryJournal;
}

/** Transient storage (EIP-1153) in the EvmState; it follows the state's marks, so its own are not needed. */
export function transientStorageOver(state: EvmState): EVM['transientStorage'] {
  const calls = {
    get: (address: Address, slot: Uint8Array) => state.transientStorage(address.bytes, slot),
    put: (address: Address, slot: Uint8Array, value: Uint8Array) =>
      state.setTransientStorage(address.bytes, slot, value),
    checkpoint: () => undefined,
    commit: () => undefined,
    revert: () => undefined,
    clear: () => undefined,
    toJSON: () => ({}),
  };
  return calls as unknown as EVM['transientStorage'];
}
