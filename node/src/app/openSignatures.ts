import { availableParallelism } from 'node:os';
import { type SignatureThreadDeps, SignatureThreads } from '../signatures/index.ts';

/** Beyond these the main thread has no transactions left for them: what it does itself of each costs as much. */
const MAX_THREADS = 4;

/** The main thread has a processor for itself; `undefined` where there is only that one. */
export function openSignatures(deps: SignatureThreadDeps): SignatureThreads | undefined {
  const threads = Math.min(MAX_THREADS, availableParallelism() - 1);
  return threads > 0 ? new SignatureThreads({ threads }, deps) : undefined;
}
