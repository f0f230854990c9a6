import { absorb, finish, RATE } from './sponge';

/** The hash stands here in the end. */
const STATE: u32 = 0x1000;
/** Where the host writes what is hashed. */
const ROOM: u32 = 0x1200;

export function begin(): void {
  memory.fill(STATE, 0, 200);
}

/** Goes on with what is in the room, whole blocks. */
export function update(length: u32): void {
  absorb(STATE, ROOM, length);
}

/** Ends with what is in the room. */
export function end(length: u32): void {
  finish(STATE, absorb(STATE, ROOM, length), length % RATE);
}
