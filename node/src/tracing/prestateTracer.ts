import {
  createAddress,
  delegationTarget,
  type TracedLook,
  type TracedState,
  type TracedTransaction,
} from '../evm/index.ts';
import { bytesToHex } from '../primitives/index.ts';
import { flags } from './flags.ts';
import { differenceOf, type PrestateOptions, prestateJson, SeenAccount } from './prestateAccounts.ts';
import { type Tracer, tracingFailed } from './tracer.ts';

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

  onLook(look: TracedLook): void {
    const { kind, address } = look;
    if (kind === 'slot') {
      if (!this.#options.disableStorage) this.#lookUp(address).lookUpStorage(look.slot, this.#state!);
    } else if (kind === 'destruction') {
      this.#lookUp(look.heir);
      const account = bytesToHex(address);
      if (this.#created.has(account)) this.#deleted.add(account);
    } else {
      this.#lookUp(address);
      if (kind === 'call') this.#lookUpDelegation(address);
      if (kind === 'creation') this.#created.add(bytesToHex(address));
    }
  }

  onEnd(): void {
    if (this.#options.diffMode) this.#post = differenceOf(this.#seen, this.#deleted, this.#readers());
    if (this.#options.includeEmpty) return;
    for (const [address, account] of this.#seen) if (account.isEmpty) this.#seen.delete(address);
  }

  /** By address in hex, each as it was before the transaction; without `diffMode`. */
  get seen(): ReadonlyMap<string, SeenAccount> {
    return this.#seen;
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
}
