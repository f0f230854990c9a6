import { bytesToHex } from '../../../primitives/index.ts';
import type { EvmState } from '../../evmState.ts';
import { type EvmFork, hasFork } from '../../fork/evmFork.ts';
import type { PlacedCode } from '../code/index.ts';
import { ADDRESS_WORD, SLOT_FLAGS, SLOT_KEY, SLOT_VALUE, SLOT_WARM } from '../memory/layout.ts';
import type { Runtime } from '../runtime/index.ts';
import type { AnyPrecompile } from './anyPrecompile.ts';

const ADDRESS_BYTES = 20;
const WAS_COLD = 1;

/** What a call to an account comes to. */
export interface CallTarget {
  /** Runs in place of code. */
  readonly precompile: AnyPrecompile | undefined;
  /** The account's own code: `undefined` when it has none. */
  readonly code: PlacedCode | undefined;
  /** The account that it delegates to (EIP-7702). */
  readonly delegate: Account | undefined;
}

/** An account that an execution has met. */
export class Account {
  readonly address: Uint8Array;
  /** It is the owner of its slots in the table. */
  readonly number: number;
  /** Its record in the table of slots. */
  readonly slot: number;
  target: CallTarget | undefined;
  /** The newest `codeChanges` that `target` knows of. */
  targetAge = -1;

  constructor(address: Uint8Array, number: number, slot: number) {
    this.address = address;
    this.number = number;
    this.slot = slot;
  }
}

export interface AccountSources {
  readonly state: EvmState;
  readonly fork: EvmFork;
  /** `address`: lower-case hex without prefix. */
  readonly precompileOf: (address: string) => AnyPrecompile | undefined;
}

/** The accounts of one execution by number, so that calls between them make neither text nor bytes. */
export class Accounts {
  readonly #runtime: Runtime;
  readonly #sources: AccountSources;
  readonly #accounts: Account[] = [];
  #codeChanges = 0;
  /** The bytes of the address that is looked up, when it has some. */
  #given: Uint8Array | undefined;

  constructor(runtime: Runtime, sources: AccountSources) {
    this.#runtime = runtime;
    this.#sources = sources;
  }

  /** The account whose address lies at `word`. Throws NoRoom. */
  at(word: number): Account {
    const slot = this.#runtime.exports.findAccount(word);
    return this.numbered(this.#runtime.memory.u32(slot + SLOT_VALUE));
  }

  of(address: Uint8Array): Account {
    this.#runtime.memory.setWordBytes(ADDRESS_WORD, address);
    this.#given = address;
    const account = this.at(ADDRESS_WORD);
    this.#given = undefined;
    return account;
  }

  numbered(number: number): Account {
    return this.#accounts[number]!;
  }

  isWarm({ slot }: Account): boolean {
    return (this.#runtime.memory.u32(slot + SLOT_FLAGS) & SLOT_WARM) !== 0;
  }

  /** Warms it; whether it was cold. Throws NoRoom. */
  warm({ slot }: Account): boolean {
    return this.#runtime.exports.warmAccount(slot) === WAS_COLD;
  }

  /** Code has changed, or may have: targets are looked up anew. */
  noteCodeChange(): void {
    this.#codeChanges++;
  }

  /** A frame was taken back, with the code that it may have brought. */
  noteRevert(): void {
    if (this.#codeChanges > 0) this.#codeChanges++;
  }

  targetOf(account: Account): CallTarget {
    if (account.targetAge !== this.#codeChanges) {
      account.target = this.#findTarget(account);
      account.targetAge = this.#codeChanges;
    }
    return account.target!;
  }

  /** Fills the new record of an account. */
  load(slot: number): void {
    const { memory } = this.#runtime;
    const address = this.#given ?? memory.wordBytes(slot + SLOT_KEY, ADDRESS_BYTES);
    memory.setSmallWord(slot + SLOT_VALUE, this.#accounts.length);
    this.#accounts.push(new Account(address, this.#accounts.length, slot));
    if (this.#sources.state.isWarmAddress(address))
      memory.setU32(slot + SLOT_FLAGS, memory.u32(slot + SLOT_FLAGS) | SLOT_WARM);
  }

  #findTarget({ address }: Account): CallTarget {
    const precompile = this.#sources.precompileOf(bytesToHex(address));
    const code = this.#codeOf(address);
    const target = hasFork(this.#sources.fork, 'prague') ? code?.delegate : undefined;
    return { precompile, code, delegate: target && this.of(target) };
  }

  /** The account's code, placed in linear memory. */
  #codeOf(address: Uint8Array): PlacedCode | undefined {
    const { state } = this.#sources;
    const hash = state.storedCodeHash(address);
    if (!hash) return undefined;
    const placed = this.#runtime.codes.place(hash, () => state.code(address));
    return placed.length === 0 ? undefined : placed;
  }
}
