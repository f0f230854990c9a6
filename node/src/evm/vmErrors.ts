/** How a frame that reverted is named in receipts, traces and answers: geth's words, and so part of the wire. */
export const REVERTED = 'execution reverted';
/** Alone, or followed by `: ` and what the gas lacked for. */
const OUT_OF_GAS = 'out of gas';

export const isOutOfGas = (vmError: string): boolean =>
  vmError === OUT_OF_GAS || vmError.startsWith(`${OUT_OF_GAS}:`);
