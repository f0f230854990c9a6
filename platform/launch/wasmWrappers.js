// Only node: imports, plain JavaScript: the launcher takes it.
import { setFlagsFromString } from 'node:v8';

/**
 * WebAssembly's calls of JavaScript stay with V8's general wrapper. Special ones, which V8 makes behind a thousand
 * calls, are shared by all threads of a process, and one whose threads have ended may be freed twice: the process ends
 * with SIGSEGV or "Check failed: jit_page.has_value()" (nodejs/node#64500). Every thread that loads TypeScript has such
 * calls, for Node strips types in WebAssembly.
 */
export const GENERAL_WRAPPERS = '--wasm-wrapper-tiering-budget=2147483647';

/** Holds for what is instantiated from now on: to be called before any thread starts. */
export function keepGeneralWrappers() {
  setFlagsFromString(GENERAL_WRAPPERS);
}
