import { readFileSync } from 'node:fs';
import { Instance, Memory, Module } from './webAssembly.ts';

interface Exports {
  begin(): void;
  update(length: number): void;
  end(length: number): void;
}

/** As node/assembly/keccak has them. */
const STATE_AT = 0x1000;
const ROOM_AT = 0x1200;
/** Blocks of 136 bytes. */
const ROOM_BYTES = 136 * 400;

// Scratch only: nothing of one hash is left for the next.
const memory = new Memory({ initial: 1, maximum: 1 });
const room = new Uint8Array(memory.buffer, ROOM_AT, ROOM_BYTES);
const digest = new Uint8Array(memory.buffer, STATE_AT, 32);
const module = new Module(readFileSync(new URL('./keccak.wasm', import.meta.url)));
const { begin, update, end } = new Instance(module, { env: { memory } }).exports as Exports;

export function keccak256(bytes: Uint8Array): Uint8Array {
  begin();
  let at = 0;
  for (; bytes.length - at > ROOM_BYTES; at += ROOM_BYTES) {
    room.set(bytes.subarray(at, at + ROOM_BYTES));
    update(ROOM_BYTES);
  }
  room.set(at === 0 ? bytes : bytes.subarray(at));
  end(bytes.length - at);
  return digest.slice();
}
