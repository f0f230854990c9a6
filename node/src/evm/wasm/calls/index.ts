/**
 * How frames come about and go: calls, creations, precompiles, destruction, and what of their price the state decides.
 * Owns the rules of CALL, CREATE, SELFDESTRUCT and their kin; does not own the loop that runs frames (`run`).
 * Invariant: nothing is changed before its price is paid.
 */
export { beginCall, callByOpcode, isAccessUnpaid } from './call.ts';
export { calleeGas, callGas, handedOnGas } from './callPrice.ts';
export { createByOpcode, depositCode, openCreation, plannedCreation } from './creation.ts';
export { destroyRefund, destroySelf, heirGas } from './destruction.ts';
