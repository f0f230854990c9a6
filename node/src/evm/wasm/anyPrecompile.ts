import type { StandardPrecompile } from '../ethereumjs/standardPrecompiles.ts';
import type { Precompile } from '../precompile/precompile.ts';

/** One of this chain's own, or a standard one. */
export type AnyPrecompile = Precompile | StandardPrecompile;
