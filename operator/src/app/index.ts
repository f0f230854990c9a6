/**
 * The wiring: which rooms an operator consists of, in which order they open and close, its health.
 * Owns: the process from its settings to its signals. Does not own: what any room does.
 * Invariant: whatever is opened is closed in reverse, also after a failed start.
 */
export { runOperator } from './runOperator.ts';
