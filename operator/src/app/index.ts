/**
 * The wiring: settings, API server, caches, controllers, leadership, listeners.
 * Owns: what is opened in which order, and closed in reverse. Does not own: what any of it does.
 * Invariant: nothing is written before this process leads and its caches are filled.
 */
export type { OperatorDeps, RunningOperator } from './openOperator.ts';
export type { OperatorOptions } from './operatorParts.ts';
export { runOperator } from './runOperator.ts';
