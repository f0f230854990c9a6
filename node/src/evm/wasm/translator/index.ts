/**
 * EVM bytecode to WebAssembly: a function for each place that a frame may go on at.
 * Owns the translation, its thread, and its files for the next start; does not own when a code is worth it (`code`).
 * Invariant: what it cannot tell exactly (too little gas, a stack out of bounds) goes back to the interpreter.
 */
export { translate } from './translate.ts';
export { type TranslatedModule, TranslationThread } from './translationThread.ts';
