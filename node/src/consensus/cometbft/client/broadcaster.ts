import { CodedError, isCodedError } from '@chain/platform';
import type { CometClient } from './cometClient.ts';

const MAX_BATCH = 100;

interface Waiting {
  readonly raw: Uint8Array;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Hands transactions to CometBFT's mempool, which passes them on to peers. While a request is under way those that
 * come in gather for the next one.
 */
export class Broadcaster {
  readonly #client: CometClient;
  readonly #waiting: Waiting[] = [];
  #sending = false;

  constructor(client: CometClient) {
    this.#client = client;
  }

  /** Throws MEMPOOL_RELAY_DOWN when CometBFT is not there, MEMPOOL_FULL and others when it does not take it. */
  send(raw: Uint8Array): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ raw, done: resolve, failed: reject });
    if (!this.#sending) void this.#sendAll();
    return promise;
  }

  async #sendAll(): Promise<void> {
    this.#sending = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      const calls = batch.map(({ raw }) => ({
        method: 'broadcast_tx_sync',
        params: { tx: Buffer.from(raw).toString('base64') },
      }));
      const outcomes = await this.#client.batch(calls).catch((error: unknown) => batch.map(() => error));
      for (const [i, { done, failed }] of batch.entries()) {
        const refusal = refusalOf(outcomes[i]);
        if (refusal) failed(refusal);
        else done();
      }
    }
    this.#sending = false;
  }
}

function refusalOf(outcome: unknown): CodedError | undefined {
  if (isCodedError(outcome, 'CONSENSUS_COMET_DOWN')) {
    return new CodedError('MEMPOOL_RELAY_DOWN', outcome.message, { cause: outcome });
  }
  if (isCodedError(outcome)) {
    // It has it: all that was asked for.
    if (outcome.message.includes('tx already exists in cache')) return undefined;
    const code = outcome.message.includes('mempool is full') ? 'MEMPOOL_FULL' : 'MEMPOOL_NOT_TAKEN';
    return new CodedError(code, outcome.message, { cause: outcome });
  }
  const { code = 0, log = '' } = (outcome ?? {}) as { code?: number; log?: string };
  return code === 0 ? undefined : new CodedError('MEMPOOL_NOT_TAKEN', log, { fields: { abciCode: code } });
}
