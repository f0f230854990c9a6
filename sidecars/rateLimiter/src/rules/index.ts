/**
 * What may be asked: paths, methods of JSON-RPC, lists of methods.
 * Owns: reading a request as far as the rules need. Does not own: answers.
 * Invariant: what is let through every reader reads as the same methods.
 */
export { MethodRules } from './methodRules.ts';
export { pickCalls } from './pickCalls.ts';
export { type CallId, type Calls, readCalls, UnreadableCalls } from './readCalls.ts';
export { readTarget } from './readTarget.ts';
