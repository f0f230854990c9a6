import {
  create2Address,
  createAddress,
  delegationTarget,
  type TracedState,
  type TracedStep,
  type TracedTransaction,
} from '../evm/index.ts';
import { bigintToBytes, bytesToHex, padLeft } from '../primitives/index.ts';
import { flags } from './flags.ts';
import { differenceOf, type PrestateOptions, prestateJson, SeenAccount } from './prestateAccounts.ts';
import { type Tracer, tracingFailed } from './tracer.ts';

const ACCOUNT_OPCODES: ReadonlySet<number> = new Set([0x31, 0x3b, 0x3c, 0x3f, 0xff]);
const CALLS: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa]);
const SLOAD = 0x54;
const SSTORE = 0x55;
const CREATE = 0xf0;
const CREATE2 = 0xf5;
const SELFDESTRUCT = 0xff;

/** What a transaction could see before it ran; with `diffMode` only what it changed, before and after. */
export class PrestateTracer implements Tracer {
  readonly #options: PrestateOptions;
  readonly #seen = new Map<string, SeenAccount>();
  readonly #created = new Set<string>();
  readonly #deleted = new Set<string>();
  #post = new Map<string, SeenAccount>();
  #state: TracedState | undefined;

  constructor(config: unknown) {
    this.#options = flags(config, 'diffMode', 'disableCode', 'disableStorage', 'includeEmpty');
    if (this.#options.diffMode && this.#options.includeEmpty) {
      throw tracingFailed('cannot use diffMode with includeEmpty');
    }
  }

  onStart({ state, sender, to, coinbase, authorities }: TracedTransaction): void {
    this.#state = state;
    const target = to ?? createAddress(sender, state.nonce(sender));
    if (to) this.#lookUpDelegation(to);
    else this.#created.add(bytesToHex(target));
    for (const address of [sender, target, coinbase, ...authorities]) this.#lookUp(address);
  }

  onStep(step: TracedStep): void {
    if (step.error !== undefined) return;
    const { opcode, stack, address } = step;
    const at = (depth: number): Uint8Array => addressOf(stack.at(-1 - depth)!);
    if (opcode === SLOAD || opcode === SSTORE) this.#lookUpStorage(address, stack.at(-1)!);
    else if (ACCOUNT_OPCODES.has(opcode)) {
      this.#lookUp(at(0));
      const account = bytesToHex(address);
      if (opcode === SELFDESTRUCT && this.#created.has(account)) this.#deleted.add(account);
    } else if (CALLS.has(opcode)) {
      this.#lookUp(at(1));
      this.#lookUpDelegation(at(1));
    } else if (opcode === CREATE || opcode === CREATE2) this.#lookUpCreated(step);
  }

  onEnd(): void {
    if (this.#options.diffMode) this.#post = differenceOf(this.#seen, this.#deleted, this.#readers());
    if (this.#options.includeEmpty) return;
    for (const [address, account] of this.#seen) if (account.isEmpty) this.#seen.delete(address);
  }

  result(): string {
    const pre = prestateJson(this.#seen);
    return this.#options.diffMode ? `{"post":${prestateJson(this.#post)},"pre":${pre}}` : pre;
  }

  #readers() {
    return { state: this.#state!, options: this.#options };
  }

  #lookUp(address: Uint8Array): SeenAccount {
    const key = bytesToHex(address);
    const known = this.#seen.get(key);
    if (known) return known;
    const account = new SeenAccount(address, this.#readers());
    this.#seen.set(key, account);
    return account;
  }

  #lookUpDelegation(address: Uint8Array): void {
    const target = delegationTarget(this.#state!.code(address));
    if (target) this.#lookUp(target);
  }

  #lookUpStorage(address: Uint8Array, slot: bigint): void {
    if (!this.#options.disableStorage) this.#lookUp(address).lookUpStorage(word(slot), this.#state!);
  }

  #lookUpCreated({ opcode, stack, address, memory }: TracedStep): void {
    const [offset, length, salt] = [stack.at(-2)!, stack.at(-3)!, stack.at(-4)];
    const created =
      opcode === CREATE
        ? createAddress(address, this.#state!.nonce(address))
        : create2Address(address, word(salt!), paddedCopy(memory, Number(offset), Number(length)));
    this.#lookUp(created);
    this.#created.add(bytesToHex(created));
  }
}

function word(value: bigint): Uint8Array {
  return padLeft(bigintToBytes(value), 32);
}

function addressOf(value: bigint): Uint8Array {
  return word(value).subarray(12);
}

/** Memory grows when the opcode runs: what lies beyond it now is zero. */
function paddedCopy(memory: Uint8Array, offset: number, length: number): Uint8Array {
  const copy = new Uint8Array(length);
  copy.set(memory.subarray(offset, offset + length));
  return copy;
}
