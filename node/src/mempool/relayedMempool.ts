import { isCodedError, messageOf } from '@chain/platform';
import type { CheckedTransaction } from '../execution/index.ts';
import type { AddOptions } from './admission.ts';
import { DEFAULT_LIMITS, type MempoolLimits } from './limits.ts';
import { Mempool } from './mempool.ts';
import type { MempoolDeps } from './mempoolDeps.ts';

/** Hands a transaction to the network. Throws MEMPOOL_RELAY_DOWN when nobody takes it now; else it was refused. */
export type Relay = (raw: Uint8Array) => Promise<void>;

/**
 * A pool whose transactions also go to peers: what clients bring (`add`) is relayed, what peers bring (`admit`)
 * is not. A transaction that the network refuses leaves the pool; while nobody takes any, they wait here.
 */
export class RelayedMempool extends Mempool {
  readonly #logger: MempoolDeps['logger'];
  #relay: Relay | undefined;

  constructor(limits: MempoolLimits, deps: MempoolDeps) {
    super(limits, deps);
    this.#logger = deps.logger;
  }

  /** Where transactions go from now on. */
  relayTo(relay: Relay): void {
    this.#relay = relay;
  }

  override async add(raw: Uint8Array, options?: AddOptions): Promise<CheckedTransaction> {
    const checked = await this.admit(raw, options);
    await this.#pass(checked.ledgerHash, raw);
    return checked;
  }

  /** Relays all that waits: the network's own pool does not outlive its process. */
  async relayAll(): Promise<void> {
    await Promise.all(
      this.transactions().map((raw) => this.#relay?.(raw).catch((error: unknown) => this.#note(error))),
    );
  }

  async #pass(hash: Uint8Array, raw: Uint8Array): Promise<void> {
    try {
      await this.#relay?.(raw);
    } catch (error) {
      this.#note(error);
      if (isCodedError(error, 'MEMPOOL_RELAY_DOWN')) return;
      this.remove(hash, 'refused by the network');
      throw error;
    }
  }

  #note(error: unknown): void {
    this.#logger.debug('a transaction was not relayed', { reason: messageOf(error) });
  }
}

export function createRelayedMempool(limits: Partial<MempoolLimits>, deps: MempoolDeps): RelayedMempool {
  return new RelayedMempool({ ...DEFAULT_LIMITS, ...limits }, deps);
}
