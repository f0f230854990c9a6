import { randomBytes } from 'node:crypto';
import { Serial } from '@chain/platform';
import { bytesToHex, toHexData } from '../../primitives/index.ts';
import { serverError } from '../rpcError.ts';
import type { DevelopmentControls, HostedAccount } from './controls.ts';

/** What a development home's methods share: the controls, and who may send without signing. */
export class Development {
  readonly controls: DevelopmentControls;
  /** Another one after each start, so that tools know that they talk to another chain. */
  readonly instanceId = toHexData(randomBytes(32));
  /** From the nonce to the mempool: admission may wait for threads, and two sent at once get two nonces. */
  readonly sends = new Serial();
  readonly #hosted: ReadonlyMap<string, HostedAccount>;
  readonly #impersonated = new Set<string>();
  #impersonatesAll = false;

  constructor(controls: DevelopmentControls) {
    this.controls = controls;
    this.#hosted = new Map(controls.accounts.map((account) => [bytesToHex(account.evmAddress), account]));
  }

  impersonate(address: Uint8Array): void {
    this.#impersonated.add(bytesToHex(address));
  }

  stopImpersonating(address: Uint8Array): void {
    this.#impersonated.delete(bytesToHex(address));
  }

  stopImpersonatingAll(): void {
    this.#impersonated.clear();
    this.#impersonatesAll = false;
  }

  impersonateAll(enabled: boolean): void {
    this.#impersonatesAll = enabled;
  }

  /** An impersonated account sends without a key, also when the node holds it. */
  isImpersonated(address: Uint8Array): boolean {
    const name = bytesToHex(address);
    return this.#impersonated.has(name) || (this.#impersonatesAll && !this.#hosted.has(name));
  }

  /** Throws −32000 when the node does not hold the key. */
  keyOf(address: Uint8Array): Uint8Array {
    const account = this.#hosted.get(bytesToHex(address));
    if (!account) throw serverError(`no key of ${toHexData(address)} here: unknown account`);
    return account.privateKey;
  }
}
