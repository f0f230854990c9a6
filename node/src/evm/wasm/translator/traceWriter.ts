import { STACK_TOP } from '../memory/layout.ts';
import { WASM, WasmBody } from './wasmBody.ts';
import { constantWord, type KnownWord, type Limb, type Word } from './word.ts';

/** Parameters of every trace: the frame's record, behind its top word, gas. */
export const FRAME = 0;
export const TOP = 1;
export const GAS_LEFT = 2;
/** Locals of every trace. */
export const MEMORY_AT = 3;
export const ADDRESS = 4;
export const PRICE = 5;
export const I32_LOCALS = 3;
export const LANES = 6;
export const V128_LOCALS = 1;
export const MEMORY_END = 7;
const FIRST_LIMB_LOCAL = 8;

export const WORD_BYTES = 32;

/** See `TraceWriter.snapshot`. */
export interface StackSnapshot {
  readonly words: readonly Word[];
  readonly below: number;
}

/** The code of one trace, and the words that its stack is known to hold. */
export class TraceWriter {
  readonly body = new WasmBody();
  #nextLocal = FIRST_LIMB_LOCAL;
  /** Words above the part of the stack that nothing has touched, the top last. */
  #words: Word[] = [];
  /** How many words below TOP `#words` begins. */
  #below = 0;

  get i64Locals(): number {
    return this.#nextLocal - MEMORY_END;
  }

  newLocal(): number {
    return this.#nextLocal++;
  }

  /** The value on WebAssembly's stack, in a local of its own. */
  keep(): Limb {
    const local = this.newLocal();
    this.body.set(local);
    return { local };
  }

  push(word: Word): void {
    this.#words.push(word);
  }

  pop(): KnownWord {
    this.#reach(1);
    return this.load(this.#words.pop()!);
  }

  /** Duplicates the word that is `depth` from the top; 1 is the top itself. */
  duplicate(depth: number): void {
    this.#reach(depth);
    const at = this.#words.length - depth;
    const word = this.load(this.#words[at]!);
    this.#words[at] = word;
    this.#words.push(word);
  }

  swap(depth: number): void {
    this.#reach(depth + 1);
    const top = this.#words.length - 1;
    const other = top - depth;
    const word = this.#words[top]!;
    this.#words[top] = this.#words[other]!;
    this.#words[other] = word;
  }

  /** The top words are gone; new ones lie in memory where those began. After `settle`. */
  replace(takes: number, gives: number): void {
    for (let i = 0; i < takes; i++) this.drop();
    for (let i = 0; i < gives; i++) this.#words.push({ home: this.#below - this.#words.length });
  }

  drop(): void {
    this.#reach(1);
    this.#words.pop();
  }

  /** What is known of the stack now, for `failBefore`. */
  snapshot(): StackSnapshot {
    return { words: [...this.#words], below: this.#below };
  }

  /** Writes the code of a side exit as if the stack were as it was then. */
  as(snapshot: StackSnapshot, write: () => void): void {
    const now = this.snapshot();
    this.#words = [...snapshot.words];
    this.#below = snapshot.below;
    write();
    this.#words = [...now.words];
    this.#below = now.below;
  }

  load(word: Word): KnownWord {
    if (word.limbs) return word;
    const offset = -WORD_BYTES * word.home;
    const limb = (index: number): Limb => {
      this.body
        .get(TOP)
        .i32(offset)
        .op(WASM.i32Add)
        .memory(WASM.i64Load, 8 * index);
      return this.keep();
    };
    return { limbs: [limb(0), limb(1), limb(2), limb(3)], home: word.home };
  }

  /** Puts a limb on WebAssembly's stack. */
  limb(limb: Limb): WasmBody {
    return typeof limb === 'bigint' ? this.body.i64(limb) : this.body.get(limb.local);
  }

  /**
   * Writes every word to memory where it is not there already. Gives the distance of the new top from TOP, in
   * words; what is known of the stack stays as it was, so that a side exit may be written in the midst.
   */
  spill(): number {
    const words = this.#words.map((word, at): KnownWord | undefined => {
      const home = this.#below - at;
      return word.home === home ? undefined : this.load(word);
    });
    for (const [at, word] of words.entries()) {
      if (word) this.#storeAt(word, this.#below - at);
    }
    return this.#words.length - this.#below;
  }

  /** Spills, and moves TOP: what is known of the words stays known. */
  settle(): void {
    const words = this.#words.map((word, at) => (word.home === this.#below - at ? word : this.load(word)));
    const moved = this.#spillLoaded(words);
    this.moveTop(moved);
    this.#words = words.map((word, at) => ({ ...word, home: words.length - at }) as Word);
    this.#below = words.length;
  }

  #spillLoaded(words: readonly Word[]): number {
    for (const [at, word] of words.entries()) {
      if (word.limbs && word.home !== this.#below - at) this.#storeAt(word, this.#below - at);
    }
    return words.length - this.#below;
  }

  moveTop(words: number): void {
    if (words !== 0)
      this.body
        .get(TOP)
        .i32(WORD_BYTES * words)
        .op(WASM.i32Add)
        .set(TOP);
  }

  /** Tells the frame's record where the top is. */
  storeTop(): void {
    this.body.get(FRAME).get(TOP).memory(WASM.i32Store, STACK_TOP);
  }

  /** Writes a word to an address that does not depend on the frame. */
  storeWord(word: KnownWord, address: number): void {
    word.limbs.forEach((limb, index) => {
      this.body.i32(address);
      this.limb(limb).memory(WASM.i64Store, 8 * index);
    });
  }

  loadWord(address: number): KnownWord {
    const limb = (index: number): Limb => {
      this.body.i32(address).memory(WASM.i64Load, 8 * index);
      return this.keep();
    };
    return { limbs: [limb(0), limb(1), limb(2), limb(3)] };
  }

  pushConstant(value: bigint): void {
    this.push(constantWord(value));
  }

  #storeAt(word: KnownWord, home: number): void {
    word.limbs.forEach((limb, index) => {
      this.body
        .get(TOP)
        .i32(-WORD_BYTES * home)
        .op(WASM.i32Add);
      this.limb(limb).memory(WASM.i64Store, 8 * index);
    });
  }

  #reach(depth: number): void {
    while (this.#words.length < depth) {
      this.#below++;
      this.#words.unshift({ home: this.#below });
    }
  }
}
