import { readFileSync } from 'node:fs';
import { Instance, Memory, Module } from '../../primitives/index.ts';

/** What node/assembly/precompiles exports. */
interface FastCode {
  blake2Begin(isFinal: number): void;
  blake2Rounds(from: number, to: number): void;
  blake2End(): void;
  powerBegin(limbs: number): void;
  powerBytes(length: number): void;
  powerEnd(): void;
}

/** As node/assembly/precompiles has them. */
export const BLAKE2_H = 0x1000;
export const BLAKE2_M = 0x1040;
export const BLAKE2_T = 0x10c0;
export const POWER_MODULUS = 0x2000;
export const POWER = 0x2100;
export const POWER_OF_0 = 0x2200;
export const POWER_OF_1 = 0x2300;
export const POWER_EXPONENT = 0x4000;
export const POWER_EXPONENT_BYTES = 4096;

// Scratch only: a precompile runs to its end before another begins, and leaves nothing that the next one reads.
const memory = new Memory({ initial: 1, maximum: 1 });
const module = new Module(readFileSync(new URL('./precompiles.wasm', import.meta.url)));

export const fastCode: FastCode & { readonly bytes: Uint8Array } = {
  ...(new Instance(module, { env: { memory } }).exports as FastCode),
  bytes: new Uint8Array(memory.buffer),
};
