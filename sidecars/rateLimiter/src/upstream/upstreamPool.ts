import { readJsonBody } from '@chain/platform';
import { type Dispatcher, Pool } from 'undici';

/** Of the node's status, which has a few kB. */
const MAX_STATUS_BYTES = 1024 * 1024;

export interface UpstreamOptions {
  /** Such as `http://127.0.0.1:26667`. */
  readonly url: string;
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
  readonly answerTimeoutMs: number;
  readonly bodyTimeoutMs: number;
}

/** Connections to the node, kept alive and used again. */
export class UpstreamPool {
  readonly #pool: Pool;
  readonly url: string;

  constructor(options: UpstreamOptions) {
    this.url = options.url;
    this.#pool = new Pool(options.url, {
      connections: options.maxConnections,
      pipelining: 1,
      connect: { timeout: options.connectTimeoutMs },
      headersTimeout: options.answerTimeoutMs,
      bodyTimeout: options.bodyTimeoutMs,
    });
  }

  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#pool.dispatch(request, handler);
  }

  /** A small answer as JSON; throws when it does not come within the time, or is none. */
  async getJson(path: string, timeoutMs: number): Promise<unknown> {
    const signal = AbortSignal.timeout(timeoutMs);
    const { statusCode, body } = await this.#pool.request({ path, method: 'GET', signal });
    if (statusCode === 200) return readJsonBody(body, { maxBytes: MAX_STATUS_BYTES });
    await body.dump();
    throw new RangeError(`HTTP status ${statusCode}`);
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await this.#pool.close();
  }

  /** Cuts what is under way. */
  async destroy(): Promise<void> {
    await this.#pool.destroy();
  }
}
