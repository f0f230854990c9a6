/**
 * Requests to HTTP servers of others.
 * Owns: the limits of an answer and which addresses are never asked. Does not own: what an answer means.
 * Invariants: an answer is bounded in bytes and in time while it is read; no redirect is followed, nothing is
 * decompressed; no error has text of the server.
 */
export { askHttp, type HttpAnswer, type HttpAsk } from './askHttp.ts';
export { Slots } from './slots.ts';
