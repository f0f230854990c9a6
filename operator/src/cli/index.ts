/**
 * The command line: flags, what is printed, exit codes (0 done, 1 failed, 2 misused).
 * Owns: standard output. Does not own: settings, the controllers.
 * Invariant: results on standard output, everything else on standard error; one line an error, never a stack.
 */
export { run } from './run.ts';
