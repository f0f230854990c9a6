/**
 * Frames: their records, how they end and why, who watches them, and what they need of the message that they are of.
 * Owns the records and their ends; does not own how frames begin (`calls`) or in which order they run (`run`).
 * Invariant: a frame's memory begins above all that lies below it, so that frames free theirs by ending.
 */
export { failureText } from './failure.ts';
export { type Frame, freeAbove, openFrame } from './frame.ts';
export { FrameWatch } from './frameWatch.ts';
export type { MessageScope } from './messageScope.ts';
export { BALANCE_ERROR, DEPTH_ERROR, deliver, type Outcome } from './outcome.ts';
export type { Call } from './plannedCall.ts';
