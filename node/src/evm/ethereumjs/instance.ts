import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { createEVM, type EVM } from '@ethereumjs/evm';
import type { EvmFork } from '../fork/evmFork.ts';
import { fastCrypto } from './crypto.ts';
import { type InterruptHook, interruptible } from './interrupts.ts';

/** An EVM of the library at rest: the pool's unit. */
export interface Instance {
  readonly evm: EVM;
  /** Names the precompiles that the library itself brings. */
  readonly standardPrecompiles: EVM['precompiles'];
  readonly interrupts: InterruptHook;
}

export async function createInstance(chainId: bigint, fork: EvmFork): Promise<Instance> {
  const common = createCustomCommon({ name: 'chain', chainId: chainId.toString() }, Mainnet, {
    hardfork: fork,
    customCrypto: fastCrypto,
  });
  const evm = await createEVM({ common });
  return { evm, standardPrecompiles: evm.precompiles, interrupts: interruptible(evm) };
}
