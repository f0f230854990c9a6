export {
  addModulo,
  byteLength,
  divide,
  divideSigned,
  modulo,
  moduloSigned,
  multiplyModulo,
  power,
} from './division';
export { run } from './interpreter';
export { keccak256 } from './keccak';
export { reserve } from './memory';
export { clearSlots, revertSlots } from './slots';
export { byteAt, multiply, signExtend } from './word';
