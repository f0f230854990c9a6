/**
 * The limiter as a whole: the wiring, its health, how it drains and stops.
 * Owns: the order in which things open and close. Does not own: what they do.
 * Invariant: whatever was opened is closed in reverse order, also after a failed start.
 */
export { runLimiter } from './runLimiter.ts';
