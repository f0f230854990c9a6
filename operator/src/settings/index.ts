/**
 * The operator's settings: one table that drives file, flags, environment, checks and docs.
 * Owns: every key and its default. Does not own: what a key does.
 * Invariant: settings in force have passed every check.
 */
export { loadSettings, OPERATOR } from './loadSettings.ts';
export { operatorReference } from './operatorReference.ts';
export type { OperatorSettings } from './operatorTable.ts';
