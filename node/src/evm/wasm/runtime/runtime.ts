import { randomFillSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Instance, Memory, Module } from '../../../primitives/index.ts';
import type { FastTier, PlacedCode } from '../code/index.ts';
import { CodeCache, type CompilationParts, CompiledCode, CompiledCodes } from '../code/index.ts';
import { LinearMemory, NoRoom } from '../memory/index.ts';
import { ARENA, ARENA_USED, CHUNKS, HASH_FACTORS, HASH_FACTORS_BYTES } from '../memory/layout.ts';
import { writeForkRules } from './opcodeRules.ts';

const PAGE_BYTES = 0x10000;
const FIRST_PAGES = ARENA / PAGE_BYTES + 64;
const MAX_PAGES = 0x8000;

/** What the interpreter asks of its host while it runs (assembly/host.ts, assembly/slots.ts). */
export interface HostCalls {
  balance(word: number): void;
  codeSize(word: number): void;
  codeHash(word: number): void;
  blockHash(word: number): void;
  copyCode(word: number, at: number, from: number, length: number): void;
  log(topics: number, at: number, length: number, top: number): void;
  loadSlot(slot: number): void;
  tick(): number;
}

function noRoom(): never {
  throw new NoRoom('memory');
}

/** Nothing but the time that a search takes depends on them. */
function writeHashFactors({ bytes }: LinearMemory): void {
  randomFillSync(bytes, HASH_FACTORS, HASH_FACTORS_BYTES);
  for (let at = HASH_FACTORS; at < HASH_FACTORS + HASH_FACTORS_BYTES; at += 8) bytes[at]! |= 1;
}

interface RuntimeExports {
  run(frame: number): number;
  /** One opcode: GOES_ON when the frame does. */
  step(frame: number): number;
  clearSlots(): void;
  revertSlots(mark: number): void;
  /** The record of the slot whose key lies at `word`. Throws NoRoom. */
  findSlot(owner: number, word: number): number;
  /** The record that was made as number `number`. */
  slotRecord(number: number): number;
  /** Lists slots at ARENA (layout.ts), and gives how many. */
  gatherWarm(): number;
  gatherTransient(): number;
  /** The record of the account whose address lies at `word`. Throws NoRoom. */
  findAccount(word: number): number;
  /** 0 when it was warm, 1 when it was cold. Throws NoRoom. */
  warmAccount(slot: number): number;
  /** Lets the memory of frames reach `end`. Throws NoRoom. */
  reserve(end: bigint): void;
  /** Lets the memory reach the end of a chunk. Throws NoRoom. */
  reserveChunk(chunk: number): void;
}

const module = new Module(readFileSync(new URL('./runtime.wasm', import.meta.url)));

/** One memory with its interpreter, a fork's rules and the codes placed in it: it serves one execution at a time. */
export class Runtime {
  readonly memory: LinearMemory;
  readonly codes: CodeCache;
  readonly exports: RuntimeExports;
  readonly #parts: CompilationParts;
  readonly #compiled: CompiledCodes;
  /** Whom the interpreter asks: the execution under way. */
  host: HostCalls | undefined;

  constructor(parts: Pick<CompilationParts, 'hotGas' | 'thread' | 'fork'>) {
    const memory = new Memory({ initial: FIRST_PAGES, maximum: MAX_PAGES });
    this.memory = new LinearMemory(memory);
    writeForkRules(this.memory, parts.fork);
    writeHashFactors(this.memory);
    const calls: HostCalls = {
      balance: (word) => this.host!.balance(word),
      codeSize: (word) => this.host!.codeSize(word),
      codeHash: (word) => this.host!.codeHash(word),
      blockHash: (word) => this.host!.blockHash(word),
      copyCode: (word, at, from, length) => this.host!.copyCode(word, at, from, length),
      log: (topics, at, length, top) => this.host!.log(topics, at, length, top),
      loadSlot: (slot) => this.host!.loadSlot(slot),
      tick: () => this.host!.tick(),
    };
    const instance = new Instance(module, { env: { memory }, host: { ...calls, noRoom } });
    this.exports = instance.exports as unknown as RuntimeExports;
    this.codes = new CodeCache(this.memory, this.exports.reserveChunk);
    this.#parts = { ...parts, memory: this.memory, runtime: instance.exports };
    this.#compiled = new CompiledCodes(() => new CompiledCode(this.#parts));
  }

  /** Bytes that messages have made it touch, beyond what every runtime has: they stay. */
  get usedBytes(): number {
    const { memory } = this;
    const chunks = Math.max(0, memory.bytes.length - CHUNKS);
    return chunks + Math.max(0, memory.u32(ARENA_USED) - ARENA);
  }

  /** Takes up translations that are finished. */
  poll(): void {
    this.#parts.thread.poll();
  }

  /** The fast tier of a placed code. */
  compiledOf(code: PlacedCode): FastTier {
    if (code.compiled) return code.compiled;
    const compiled = this.#compiled.of(code.key);
    code.compiled = compiled;
    compiled.burnt(0, code);
    return compiled;
  }
}
