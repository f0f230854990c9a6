import type { EvmState } from './evmState.ts';
import { type EvmFork, hasFork } from './fork/evmFork.ts';
import type { AccessListEntry } from './transaction/evmTransaction.ts';

/** What is warm when a transaction starts: EIP-2929, 2930, 3651. */
export interface InitialAccess {
  readonly sender: Uint8Array;
  readonly to: Uint8Array | null;
  readonly coinbase: Uint8Array;
  readonly accessList: readonly AccessListEntry[];
  readonly fork: EvmFork;
}

/** Call after `beginTransaction` and after authorizations were applied. */
export function warmInitialAccess(state: EvmState, access: InitialAccess): void {
  state.warmAddress(access.sender);
  if (hasFork(access.fork, 'shanghai')) state.warmAddress(access.coinbase);
  state.warmPrecompiles(access.fork);
  for (const { address, storageKeys } of access.accessList) {
    state.warmAddress(address);
    for (const slot of storageKeys) state.warmSlot(address, slot);
  }
  if (!access.to) return;
  state.warmAddress(access.to);
  const target = hasFork(access.fork, 'prague') ? state.delegateOf(access.to) : undefined;
  if (target) state.warmAddress(target);
}
