import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { Account, type Address, KECCAK256_RLP } from '@ethereumjs/util';
import { isZero } from '../../primitives/index.ts';
import type { EvmState, EvmStateMark } from '../evmState.ts';

const NO_BYTES = new Uint8Array(0);
const ACCOUNT_VERSION = 0;

/**
 * The library's view of an EvmState. Every account reads as present, possibly empty (EIP-161 treats both alike);
 * storage roots do not exist here and read as the empty root.
 */
export class EthereumjsStateManager implements StateManagerInterface {
  readonly originalStorageCache: StateManagerInterface['originalStorageCache'];
  readonly #state: EvmState;
  readonly #marks: EvmStateMark[] = [];

  constructor(state: EvmState) {
    this.#state = state;
    this.originalStorageCache = {
      get: async (address, slot) => trimmed(state.originalStorage(address.bytes, slot)),
      clear: () => undefined,
    };
  }

  async getAccount({ bytes }: Address): Promise<Account> {
    const state = this.#state;
    return new Account(
      state.nonce(bytes),
      state.balance(bytes),
      KECCAK256_RLP,
      state.codeHash(bytes),
      null,
      ACCOUNT_VERSION,
    );
  }

  async putAccount(address: Address, account?: Account): Promise<void> {
    if (account) this.#write(address, account);
  }

  /** Only EIP-161 clearing calls this, on accounts that are empty: they have no rows. */
  async deleteAccount(): Promise<void> {}

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    this.#write(address, fields);
  }

  async putCode(address: Address, code: Uint8Array): Promise<void> {
    this.#state.setCode(address.bytes, code);
  }

  async getCode(address: Address): Promise<Uint8Array> {
    return this.#state.code(address.bytes);
  }

  async getCodeSize(address: Address): Promise<number> {
    return this.#state.codeSize(address.bytes);
  }

  async getStorage(address: Address, slot: Uint8Array): Promise<Uint8Array> {
    return trimmed(this.#state.storage(address.bytes, slot));
  }

  async putStorage(address: Address, slot: Uint8Array, value: Uint8Array): Promise<void> {
    this.#state.setStorage(address.bytes, slot, value);
  }

  /** Called for a new contract: accounts without code and nonce have no storage. */
  async clearStorage(): Promise<void> {}

  async checkpoint(): Promise<void> {
    this.#marks.push(this.#state.mark());
  }

  async commit(): Promise<void> {
    this.#marks.pop();
  }

  async revert(): Promise<void> {
    this.#state.revertTo(this.#marks.pop()!);
  }

  async getStateRoot(): Promise<Uint8Array> {
    return KECCAK256_RLP;
  }

  async setStateRoot(): Promise<void> {}

  async hasStateRoot(): Promise<boolean> {
    return true;
  }

  clearCaches(): void {}

  shallowCopy(): StateManagerInterface {
    return new EthereumjsStateManager(this.#state);
  }

  #write({ bytes }: Address, { nonce, balance }: AccountFields): void {
    const state = this.#state;
    if (balance !== undefined && balance !== null && balance !== state.balance(bytes)) {
      state.setBalance(bytes, balance);
    }
    if (nonce !== undefined && nonce !== null && nonce !== state.nonce(bytes)) state.setNonce(bytes, nonce);
  }
}

/** The library takes no bytes as zero, and any other length as a value. */
function trimmed(word: Uint8Array): Uint8Array {
  return isZero(word) ? NO_BYTES : word;
}
