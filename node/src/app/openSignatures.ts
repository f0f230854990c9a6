import { availableParallelism } from 'node:os';
import { type SignatureThreadDeps, SignatureThreads } from '../signatures/index.ts';

/** Beyond these the main thread has no transactions left for them: what it does itself of each costs as much. */
const MAX_THREADS = 4;

/** The main thread has a processor for itself; with one processor there are no threads. */
export function openSignatures(deps: SignatureThreadDeps): SignatureThreads {
  const threads = Math.min(MAX_THREADS, availableParallelism() - 1);
  return new SignatureThreads({ threads }, deps);
}
