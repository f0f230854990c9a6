import type { ImportedFunction } from './moduleBinary.ts';
import { I32, I64 } from './wasmBody.ts';

const runtime = (name: string, takes: number[], gives: number[] = []): ImportedFunction => ({
  module: 'runtime',
  name,
  signature: { takes, gives },
});

/** What translated code calls of the runtime (assembly/evm/index.ts), by name. */
export const IMPORTS = [
  runtime('runRare', [I32, I32, I32, I64], [I32]),
  runtime('expand', [I32, I64, I64, I64], [I64]),
  runtime('loadStorage', [I32, I32], [I64]),
  runtime('storeStorage', [I32, I32, I32, I64], [I64]),
  runtime('keccak256', [I32, I32, I32]),
  runtime('readInput', [I32, I32]),
  runtime('multiply', [I32, I32, I32]),
  runtime('divide', [I32, I32, I32]),
  runtime('divideSigned', [I32, I32, I32]),
  runtime('modulo', [I32, I32, I32]),
  runtime('moduloSigned', [I32, I32, I32]),
  runtime('addModulo', [I32, I32, I32, I32]),
  runtime('multiplyModulo', [I32, I32, I32, I32]),
  runtime('power', [I32, I32, I32]),
  runtime('signExtend', [I32, I32, I32]),
  runtime('byteAt', [I32, I32, I32]),
  runtime('byteLength', [I32], [I32]),
  runtime('shiftLeftBy', [I32, I32, I32]),
  runtime('shiftRightBy', [I32, I32, I32]),
  runtime('shiftSignedBy', [I32, I32, I32]),
  runtime('leadingZeros', [I32, I32]),
  runtime('high', [I64, I64], [I64]),
  runtime('tick', [], [I32]),
] as const;

const INDEX: ReadonlyMap<string, number> = new Map(IMPORTS.map(({ name }, index) => [name, index]));

/** Index of an imported function. */
export function importOf(name: string): number {
  return INDEX.get(name)!;
}
