import { readBalanceWei, writeBalanceWei } from '../ledger/index.ts';
import { bytesOfMapKey, equalBytes, isZero, keccak256, padLeft, uint64ToBytes } from '../primitives/index.ts';
import { EVM_PREFIX, STORE } from '../state/schema/index.ts';
import type { Overlay } from '../state/view/index.ts';
import type { LedgerEvent } from '../types/index.ts';
import { associateContract } from './contractAssociation.ts';
import { DELEGATION_BYTES, delegationTarget } from './delegation.ts';
import type { EvmFork } from './fork/evmFork.ts';
import {
  accountKey,
  readCode,
  readCodeHash,
  readCodeSize,
  readNonce,
  readStorage,
  storageKey,
} from './stateReads.ts';
import { type LateSlot, TransactionScratch } from './transactionScratch.ts';

export type { LateSlot };

/** A point in a transaction to come back to. Marks nest. */
export interface EvmStateMark {
  readonly overlay: number;
  readonly scratch: number;
}

const ZERO_WORD = new Uint8Array(32);

/**
 * Ledger state as the EVM sees it, over an overlay: accounts, code, storage, and what one transaction remembers
 * (warm set, transient storage, original values, created and destroyed accounts). All of it follows marks.
 * Addresses are 20 bytes, slots and words 32. Bytes given in are kept and must not be changed afterwards.
 */
export class EvmState {
  readonly overlay: Overlay;
  readonly #scratch = new TransactionScratch();
  #precompileFailure: string | undefined;

  constructor(overlay: Overlay) {
    this.overlay = overlay;
  }

  /** Forgets the previous transaction. */
  beginTransaction(): void {
    this.#precompileFailure = undefined;
    this.#scratch.clear();
  }

  /** Removes the accounts destroyed in this transaction, with their storage. */
  endTransaction(): void {
    for (const address of this.#scratch.destroyed()) this.#remove(address);
    this.#scratch.clear();
  }

  mark(): EvmStateMark {
    return { overlay: this.overlay.mark(), scratch: this.#scratch.mark() };
  }

  revertTo(mark: EvmStateMark): void {
    this.overlay.revertTo(mark.overlay);
    this.#scratch.revertTo(mark.scratch);
  }

  /** No nonce, no balance, no code (EIP-161); such an account does not exist for the EVM. */
  isEmpty(address: Uint8Array): boolean {
    return this.nonce(address) === 0n && this.codeSize(address) === 0 && this.balance(address) === 0n;
  }

  balance(address: Uint8Array): bigint {
    return readBalanceWei(this.overlay, address);
  }

  setBalance(address: Uint8Array, wei: bigint): void {
    writeBalanceWei(this.overlay, address, wei);
  }

  nonce(address: Uint8Array): bigint {
    return readNonce(this.overlay, address);
  }

  setNonce(address: Uint8Array, nonce: bigint): void {
    const key = accountKey(EVM_PREFIX.nonce, address);
    if (nonce === 0n) this.overlay.delete(STORE.evm, key);
    else this.overlay.set(STORE.evm, key, uint64ToBytes(nonce));
  }

  code(address: Uint8Array): Uint8Array {
    return readCode(this.overlay, address);
  }

  codeHash(address: Uint8Array): Uint8Array {
    return readCodeHash(this.overlay, address);
  }

  /** As `codeHash`; `undefined` for an account without code. */
  storedCodeHash(address: Uint8Array): Uint8Array | undefined {
    return this.overlay.get(STORE.evm, accountKey(EVM_PREFIX.codeHash, address));
  }

  codeSize(address: Uint8Array): number {
    return readCodeSize(this.overlay, address);
  }

  /** Whom the account delegates to (EIP-7702). */
  delegateOf(address: Uint8Array): Uint8Array | undefined {
    return this.codeSize(address) === DELEGATION_BYTES ? delegationTarget(this.code(address)) : undefined;
  }

  /** Writes code, its hash and its size, and associates a contract with its cast address (spec L-4). */
  setCode(address: Uint8Array, code: Uint8Array): void {
    const rows: [number, Uint8Array][] = [
      [EVM_PREFIX.code, code],
      [EVM_PREFIX.codeHash, keccak256(code)],
      [EVM_PREFIX.codeSize, uint64ToBytes(BigInt(code.length))],
    ];
    for (const [prefix, value] of rows) {
      if (code.length === 0) this.overlay.delete(STORE.evm, accountKey(prefix, address));
      else this.overlay.set(STORE.evm, accountKey(prefix, address), value);
    }
    associateContract(this.overlay, address, code);
  }

  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    return readStorage(this.overlay, address, slot);
  }

  /** `value` may be shorter than 32 bytes; zero deletes the row. */
  setStorage(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void {
    const before = this.storage(address, slot);
    this.#scratch.keepOriginal(address, slot, before);
    const word = padLeft(value, 32);
    if (equalBytes(before, word)) return;
    const key = storageKey(address, slot);
    if (isZero(word)) this.overlay.delete(STORE.evm, key);
    else this.overlay.set(STORE.evm, key, word);
  }

  /** `setStorage` of a slot that this transaction has not written yet and that holds `before`; both are whole words. */
  replaceStorage(
    address: Uint8Array,
    slot: Uint8Array,
    words: { before: Uint8Array; after: Uint8Array },
  ): void {
    this.#scratch.keepOriginalLater(address, slot, words.before);
    const key = storageKey(address, slot);
    if (isZero(words.after)) this.overlay.delete(STORE.evm, key);
    else this.overlay.set(STORE.evm, key, words.after);
  }

  /** The word at the start of the transaction (EIP-2200). */
  originalStorage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    return this.#scratch.original(address, slot) ?? this.storage(address, slot);
  }

  /** The same, for a slot that was written in this transaction; else `undefined`: it is what the slot holds. */
  writtenOriginal(address: Uint8Array, slot: Uint8Array): Uint8Array | undefined {
    return this.#scratch.original(address, slot);
  }

  transientStorage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    return this.#scratch.transient(address, slot) ?? ZERO_WORD;
  }

  setTransientStorage(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void {
    this.#scratch.setTransient(address, slot, padLeft(value, 32));
  }

  /** The same of whole words, at the end of a message: nothing is read of `slots` until somebody asks. */
  setTransientLater(slots: Iterable<LateSlot>): void {
    this.#scratch.setTransientLater(slots);
  }

  /** Whether any transient storage was written in this transaction. */
  hasTransient(): boolean {
    return this.#scratch.hasTransient();
  }

  isWarmAddress(address: Uint8Array): boolean {
    return this.#scratch.isWarmAddress(address);
  }

  warmAddress(address: Uint8Array): void {
    this.#scratch.warmAddress(address);
  }

  /** All of the fork's own, for the rest of the transaction. */
  warmPrecompiles(fork: EvmFork): void {
    this.#scratch.warmPrecompiles(fork);
  }

  isWarmSlot(address: Uint8Array, slot: Uint8Array): boolean {
    return this.#scratch.isWarmSlot(address, slot);
  }

  /** Warms the slot only; its address is warmed on its own. */
  warmSlot(address: Uint8Array, slot: Uint8Array): void {
    this.#scratch.warmSlot(address, slot);
  }

  /** As `warmAddress` and `warmSlot`, at the end of a message: nothing is read of `slots` until somebody asks. */
  warmLater(slots: Iterable<LateSlot>): void {
    this.#scratch.warmLater(slots);
  }

  /** Every address and slot touched so far, for access-list building. */
  warmSet(): { addresses: Uint8Array[]; slots: { address: Uint8Array; slot: Uint8Array }[] } {
    const { addresses, slots } = this.#scratch.warm();
    return {
      addresses: [...addresses].map((text) => bytesOfMapKey(text)),
      slots: [...slots].map((text) => {
        const bytes = bytesOfMapKey(text);
        return { address: bytes.subarray(0, 20), slot: bytes.subarray(20) };
      }),
    };
  }

  isCreated(address: Uint8Array): boolean {
    return this.#scratch.isCreated(address);
  }

  markCreated(address: Uint8Array): void {
    this.#scratch.markCreated(address);
  }

  isDestroyed(address: Uint8Array): boolean {
    return this.#scratch.isDestroyed(address);
  }

  /** To be removed by `endTransaction`. */
  markDestroyed(address: Uint8Array): void {
    this.#scratch.markDestroyed(address);
  }

  /** What precompiles tell the ledger; taken back with the frame that called them. */
  addLedgerEvents(events: readonly LedgerEvent[]): void {
    this.#scratch.addEvents(events);
  }

  /** Of this transaction. */
  ledgerEvents(): readonly LedgerEvent[] {
    return [...this.#scratch.events()];
  }

  /** Why a precompile refused a call of this transaction: the last one, also of a frame that was taken back. */
  notePrecompileFailure(text: string): void {
    this.#precompileFailure = text;
  }

  get precompileFailure(): string | undefined {
    return this.#precompileFailure;
  }

  #remove(address: Uint8Array): void {
    if (this.#scratch.isCreated(address)) this.#removeWritten(address);
    else this.overlay.deletePrefix(STORE.evm, accountKey(EVM_PREFIX.storage, address));
    this.setBalance(address, 0n);
    this.setNonce(address, 0n);
    for (const prefix of [EVM_PREFIX.code, EVM_PREFIX.codeHash, EVM_PREFIX.codeSize]) {
      this.overlay.delete(STORE.evm, accountKey(prefix, address));
    }
  }

  /** All the storage of an account that came with this transaction. */
  #removeWritten(address: Uint8Array): void {
    for (const written of this.#scratch.originals()) {
      if (equalBytes(written.address, address)) {
        this.overlay.delete(STORE.evm, storageKey(address, written.slot));
      }
    }
  }
}
