/**
 * The operator's settings: one table that drives flags, environment, checks and help.
 * Owns: every key and its default. Does not own: what a key does.
 * Invariant: settings in force have passed every check.
 */
export { loadSettings } from './loadSettings.ts';
export { OPERATOR_TABLE, type OperatorSettings } from './operatorTable.ts';
