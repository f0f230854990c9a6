import { equalBytes } from '../../../primitives/index.ts';
import type { EvmHost } from '../../evmEngine.ts';
import type { Frame, FrameWatch, MessageScope } from '../frames/index.ts';
import type { LinearMemory } from '../memory/index.ts';
import type { HostCalls } from '../runtime/index.ts';
import type { Accounts, Journal } from '../tables/index.ts';

const ADDRESS_BYTES = 20;

/** Answers of an execution to what the interpreter asks. */
export class HostAnswers implements HostCalls {
  readonly #memory: LinearMemory;
  readonly #host: EvmHost;
  readonly #journal: Journal;
  readonly #accounts: Accounts;
  readonly #watch: FrameWatch | undefined;
  readonly #current: () => Frame;
  readonly #onTick: () => boolean;

  constructor(
    { memory, host, journal, accounts, watch }: MessageScope,
    current: () => Frame,
    onTick: () => boolean,
  ) {
    this.#memory = memory;
    this.#host = host;
    this.#journal = journal;
    this.#accounts = accounts;
    this.#watch = watch;
    this.#current = current;
    this.#onTick = onTick;
  }

  balance(word: number): void {
    const address = this.#address(word);
    this.#look(address);
    this.#memory.setWord(word, this.#host.state.balance(address));
  }

  codeSize(word: number): void {
    const account = this.#accounts.at(word);
    this.#look(account.address);
    const { code } = this.#accounts.targetOf(account);
    this.#memory.setSmallWord(word, code?.length ?? 0);
  }

  codeHash(word: number): void {
    const address = this.#address(word);
    this.#look(address);
    const { state } = this.#host;
    if (state.isEmpty(address)) this.#memory.setSmallWord(word, 0);
    else this.#memory.setWordBytes(word, state.codeHash(address));
  }

  blockHash(word: number): void {
    const { block } = this.#host;
    const wanted = this.#memory.word(word);
    const isInWindow = wanted < block.number && wanted + 256n >= block.number;
    const hash = isInWindow ? block.blockHash(Number(wanted)) : undefined;
    if (hash) this.#memory.setWordBytes(word, hash);
    else this.#memory.setSmallWord(word, 0);
  }

  copyCode(word: number, at: number, from: number, length: number): void {
    const address = this.#address(word);
    this.#look(address);
    // `at` is a place in memory only where there is something to copy.
    if (length === 0) return;
    const start = from >>> 0;
    const code = this.#host.state.code(address).subarray(start, start + length);
    const { bytes } = this.#memory;
    bytes.set(code, at);
    bytes.fill(0, at + code.length, at + length);
  }

  log(topicCount: number, at: number, length: number, top: number): void {
    const memory = this.#memory;
    const topics: Uint8Array[] = [];
    for (let i = 0; i < topicCount; i++) topics.push(memory.wordBytes(top - 32 * (3 + i), 32));
    const { address } = this.#current().self;
    const given = { address, topics, data: memory.slice(at, length) };
    this.#journal.logs.push(given);
    this.#host.tracer?.onLog?.(given);
  }

  loadSlot(slot: number): void {
    this.#journal.loadSlot(slot);
  }

  tick(): number {
    this.#host.interrupt?.();
    return this.#onTick() ? 1 : 0;
  }

  #look(address: Uint8Array): void {
    if (!this.#watch?.wantsLooks || equalBytes(address, this.#current().self.address)) return;
    this.#watch.look({ kind: 'account', address });
  }

  #address(word: number): Uint8Array {
    return this.#memory.wordBytes(word, ADDRESS_BYTES);
  }
}
