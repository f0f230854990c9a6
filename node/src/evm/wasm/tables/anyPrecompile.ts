import type { Precompile } from '../../precompile/precompile.ts';
import type { StandardPrecompile } from '../../standard/standardPrecompile.ts';

/** One of this chain's own, or a standard one. */
export type AnyPrecompile = Precompile | StandardPrecompile;
