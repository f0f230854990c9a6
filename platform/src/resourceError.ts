/** What V8 says when stack, heap or one of its own limits ends a computation. */
const EXHAUSTED =
  /^(Maximum call stack size exceeded|Array buffer allocation failed|Invalid (string|array|typed array|array buffer) length|(Map|Set) maximum size exceeded|Maximum BigInt size exceeded|WebAssembly\..*(memory|Memory)|Cannot create a (string longer|Buffer larger) than|.*[Oo]ut of memory)/;
const EXHAUSTED_CODES: ReadonlySet<unknown> = new Set([
  'ERR_STRING_TOO_LONG',
  'ERR_BUFFER_TOO_LARGE',
  'ERR_MEMORY_ALLOCATION_FAILED',
  'ERR_WORKER_OUT_OF_MEMORY',
]);
/** A wrapped error is the cause of its wrapper; nobody wraps more often. */
const MAX_CAUSES = 8;

/**
 * Whether an error, or what caused it, tells of the machine: of a stack, a heap or a limit of the engine that
 * another process need not have. Such an error says nothing of the bytes that were at work, so that it must never
 * become the result of a transaction.
 */
export function isResourceError(error: unknown): boolean {
  let at = error;
  for (let i = 0; i < MAX_CAUSES && at instanceof Error; i++) {
    if (isExhaustion(at)) return true;
    at = at.cause;
  }
  return false;
}

/** For who takes any error of a decoder for a refusal: throws again what tells of the machine. */
export function throwIfResource(error: unknown): void {
  if (isResourceError(error)) throw error;
}

function isExhaustion(error: Error): boolean {
  // A trap of WebAssembly has a class of its own, which the language's type library does not know.
  if (error.name === 'RuntimeError' || EXHAUSTED_CODES.has((error as { code?: unknown }).code)) return true;
  return error instanceof RangeError && EXHAUSTED.test(error.message);
}
