/**
 * The command line: commands, prompts, what is printed, exit codes (0 done, 1 failed, 2 misused).
 * Owns: commander, the terminal. Does not own: what commands do; rooms below do it.
 * Invariants: results on standard output, everything else on standard error; one line an error, never a stack;
 * secrets come from a prompt or standard input, never from arguments.
 */
export { run } from './run.ts';
