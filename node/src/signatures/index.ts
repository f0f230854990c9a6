/**
 * The curve's work beside the main thread: senders recovered from signatures, signatures verified.
 * Owns: the threads that do it, how questions are gathered and packed. Does not own: what is signed, by whom it must
 * be, what follows from an answer; order, which its callers keep.
 * Invariants: a question is answered exactly once, with what the same code says on the main thread, also when a
 * thread dies; nothing but bytes of fixed length leaves for a thread.
 */
export type { RecoveredSigner, SignatureQuestion } from './question.ts';
export { type Signatures, type SignatureThreadDeps, SignatureThreads } from './signatureThreads.ts';
