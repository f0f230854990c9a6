import { createRequire } from 'node:module';
import { CodedError } from '@chain/platform';
import { loadOrFallBack, RuntimeError } from '../../primitives/index.ts';

/** What the addon does, by the numbers of `node/native/src/lib.rs`. */
export const WORK = {
  bnAdd: 0,
  bnMul: 1,
  bnPairingBegin: 2,
  bnPairs: 3,
  bnPairingEnd: 4,
  addG1: 5,
  addG2: 6,
  productsBegin: 7,
  productsG1: 8,
  productsG2: 9,
  productsEndG1: 10,
  productsEndG2: 11,
  pairingBegin: 12,
  pairs: 13,
  pairingEnd: 14,
  mapG1: 15,
  mapG2: 16,
  pointEvaluation: 17,
  power: 18,
  p256: 19,
} as const;

export const PROBLEM = {
  notInField: -1,
  offCurve: -2,
  notInG1: -3,
  notInG2: -4,
  refused: -5,
  notPadded: -6,
  fault: -7,
} as const;

/** Bytes that it writes into `output`, or a number of `PROBLEM`. */
type Run = (work: number, input: Uint8Array, output: Uint8Array) => number;

/** As long as the longest modulus that it is given. */
const OUTPUT_BYTES = 1024;
const output = new Uint8Array(OUTPUT_BYTES);
const NOTHING: Uint8Array = new Uint8Array(0);

function load(): Run {
  const path = `../../../prebuilds/${process.platform}-${process.arch}/precompiles.node`;
  return (createRequire(import.meta.url)(path) as { readonly run: Run }).run;
}

const loaded = loadOrFallBack<Run | undefined>('precompiles.node', load, undefined);
const run = loaded.form;
/** Set where precompiles run in WebAssembly, for want of a binary. */
export const missingPrecompiles = loaded.missing;
export const hasNative = run !== undefined;

/**
 * What native code makes of an input, or the number of its problem. Throws EVM_NATIVE_FAULT when the code itself
 * fails: that says nothing of the input, and another machine need not have it.
 */
export function native(work: number, input: Uint8Array = NOTHING): Uint8Array | number {
  const written = run!(work, input, output);
  if (written === PROBLEM.fault) {
    throw new CodedError('EVM_NATIVE_FAULT', `native code of a precompile failed at work ${work}`, {
      fields: { work },
      cause: new RuntimeError('native code failed'),
    });
  }
  return written < 0 ? written : output.slice(0, written);
}
