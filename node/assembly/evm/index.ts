export { addModulo, byteLength, divide, divideSigned, modulo, moduloSigned, multiplyModulo, power } from './division';
export { tick } from './host';
export { run } from './interpreter';
export { keccak256 } from './keccak';
export { expand, reserve } from './memory';
export { readInput, runRare } from './rare';
export { clearSlots, revertSlots } from './slots';
export { loadStorage, storeStorage } from './storage';
export { byteAt, highOf as high, multiply, shiftLeftBy, shiftRightBy, shiftSignedBy, signExtend } from './word';
