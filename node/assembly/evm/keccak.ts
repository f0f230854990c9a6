import { SCRATCH } from '../../src/evm/wasm/memory/layout';
import { absorb, finish, RATE } from '../keccak/sponge';
import { readBytes } from './word';

const STATE: u32 = SCRATCH + 0x400;
const LAST: u32 = SCRATCH + 0x500;

/** Writes the Keccak-256 of `length` bytes at `from` as a word. */
export function keccak256(to: u32, from: u32, length: u32): void {
  memory.fill(STATE, 0, 200);
  const rest = absorb(STATE, from, length);
  finish(STATE, LAST, rest, length % RATE);
  readBytes(to, STATE);
}
