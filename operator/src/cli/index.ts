/**
 * The command line: what the program is called, does, and prints.
 * Owns: standard output. Does not own: settings, the controllers.
 * Invariant: results on standard output, everything else on standard error; one line an error, never a stack.
 */
export { run } from './run.ts';
