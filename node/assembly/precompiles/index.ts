export { blake2Begin, blake2End, blake2Rounds } from './blake2f';
export { powerBegin, powerBytes, powerEnd } from './montgomery';
