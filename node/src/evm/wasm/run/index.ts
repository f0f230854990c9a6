/**
 * A message from its first frame to its end.
 * Owns the loop over frames and the answers to what the interpreter asks; does not own which engine runs a message.
 * Invariant: depth costs nothing on the host's stack.
 */
export { MessageRun, type Work } from './messageRun.ts';
export { ResumedTracer } from './resumedTracer.ts';
