/**
 * Codes: where they lie in linear memory with their jump destinations, and their fast tiers.
 * Owns the room for codes and the choice of what is translated; does not own the translation.
 * Invariant: a placed code stays where it is until no message runs.
 */
export { CodeCache, placeCode, placedBytes } from './codeCache.ts';
export { type CompilationParts, CompiledCode, HOT_GAS } from './compiledCode.ts';
export { CompiledCodes } from './compiledCodes.ts';
export type { FastTier, PlacedCode } from './placedCode.ts';
