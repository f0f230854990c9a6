/**
 * Accounts and slots that a message has met, as records in linear memory, and the journal that takes changes back.
 * Owns the way between these records and `EvmState`; does not own prices (the interpreter, `calls`).
 * Invariant: the state hears of a slot once, when the message ends, unless somebody watches steps.
 */
export { type Account, Accounts } from './accounts.ts';
export type { AnyPrecompile } from './anyPrecompile.ts';
export { Journal } from './journal.ts';
export type { Mark } from './mark.ts';
