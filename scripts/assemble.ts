import { execFileSync } from 'node:child_process';

/** A module of WebAssembly: its AssemblyScript, and where the node loads it from. */
export interface Assembly {
  readonly entry: string;
  readonly path: string;
  readonly features: readonly string[];
}

/** The engine's interpreter and arithmetic. */
export const EVM_RUNTIME: Assembly = {
  entry: 'node/assembly/evm/index.ts',
  path: 'node/src/evm/wasm/runtime/runtime.wasm',
  features: ['bulk-memory'],
};
/** Logs as JSON. */
export const LOGS_WRITER: Assembly = {
  entry: 'node/assembly/logs/index.ts',
  path: 'node/src/rpc/format/logsWriter.wasm',
  features: ['bulk-memory', 'simd'],
};
/** CRC-32C of database files. */
export const CRC32C: Assembly = {
  entry: 'node/assembly/crc/index.ts',
  path: 'node/src/db/levelDbCheck/crc32c.wasm',
  features: [],
};
/** Keccak-256. */
export const KECCAK: Assembly = {
  entry: 'node/assembly/keccak/index.ts',
  path: 'node/src/primitives/keccak.wasm',
  features: ['bulk-memory'],
};
/** Standard precompiles: BLAKE2b's rounds, powers modulo odd numbers. */
export const PRECOMPILES: Assembly = {
  entry: 'node/assembly/precompiles/index.ts',
  path: 'node/src/evm/standard/precompiles.wasm',
  features: ['bulk-memory'],
};
const OPTIONS = '-O3 --runtime stub --importMemory --memoryBase 1024 --noAssert';

/** Compiles to `path`: the same sources give the same bytes. */
export async function assemble({ entry, features, path }: Assembly): Promise<void> {
  const enabled = features.flatMap((feature) => ['--enable', feature]);
  execFileSync('node_modules/.bin/asc', [entry, ...OPTIONS.split(' '), ...enabled, '-o', path], {
    stdio: 'inherit',
  });
}
