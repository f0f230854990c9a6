import { createEthereumjsEngine } from './ethereumjs/ethereumjsEngine.ts';
import type { EvmEngine } from './evmEngine.ts';
import { createWasmEngine } from './wasm/wasmEngine.ts';

/** `wasm` is ours; `reference` is `@ethereumjs/evm`, which ours is tested against. Their results are equal. */
export type EvmEngineKind = 'wasm' | 'reference';

export function createEvmEngine(options: {
  readonly chainId: bigint;
  readonly kind?: EvmEngineKind;
  /** See `WasmEngineOptions`. */
  readonly hotGas?: number;
  readonly cacheDirectory?: string;
}): EvmEngine {
  return options.kind === 'reference' ? createEthereumjsEngine(options) : createWasmEngine(options);
}
