import { execFileSync } from 'node:child_process';

/** The engine's interpreter and arithmetic, as the node loads them. */
export const EVM_RUNTIME = 'node/src/evm/wasm/runtime.wasm';
const ENTRY = 'node/assembly/evm/index.ts';
const OPTIONS = '-O3 --runtime stub --importMemory --memoryBase 1024 --noAssert --enable bulk-memory';

/** Compiles `node/assembly/evm` to `path`: the same sources give the same bytes. */
export async function assembleEvm(path = EVM_RUNTIME): Promise<void> {
  execFileSync('node_modules/.bin/asc', [ENTRY, ...OPTIONS.split(' '), '-o', path], { stdio: 'inherit' });
}
