import { rm } from 'node:fs/promises';
import { CodedError, type Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { AbciHandlers } from './abci/abciHandlers.ts';
import { type AbciServer, openAbciServer } from './abci/abciServer.ts';
import type { CometLaunch } from './process/cometLaunch.ts';
import { Supervisor } from './process/supervisor.ts';

export interface CometLinkOptions {
  /** Where the application listens. */
  readonly abciAddress: string;
  /** Where CometBFT's own RPC is. */
  readonly rpcAddress: string;
  /** How to run CometBFT; none when it runs by itself. */
  readonly program?: {
    readonly path: string;
    readonly launch: Omit<CometLaunch, 'abciAddress' | 'rpcAddress'>;
    readonly environment: Readonly<Record<string, string | undefined>>;
  };
}

export interface CometLinkDeps {
  readonly handlers: AbciHandlers;
  /** The newest height: as long as it grows, CometBFT is worth another start. */
  readonly height: () => number;
  readonly logger: Logger;
  /** Under which CometBFT's own records are logged. */
  readonly cometLogger: Logger;
  readonly metrics?: MetricsRegistry;
  /** Told once: no block can follow, the process must stop. */
  readonly onFatal: (error: unknown) => void;
}

/** The socket that CometBFT calls, and the CometBFT behind it, whoever answers on this side. */
export class CometLink {
  readonly #options: CometLinkOptions;
  readonly #deps: CometLinkDeps;
  readonly #handlers: AbciHandlers;
  readonly #next = Promise.withResolvers<AbciHandlers>();
  #height: () => number;
  #server: AbciServer | undefined;
  #supervisor: Supervisor | undefined;

  constructor(options: CometLinkOptions, deps: CometLinkDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#handlers = { ...deps.handlers };
    this.#height = deps.height;
  }

  get abciAddress(): string {
    return this.#server?.address ?? this.#options.abciAddress;
  }

  async start(): Promise<void> {
    const { logger, metrics, onFatal } = this.#deps;
    this.#server = await openAbciServer(
      { address: this.#options.abciAddress },
      { handlers: this.#handlers, logger, ...(metrics && { metrics }), onFailure: onFatal },
    );
    logger.info('Listening for CometBFT', { address: this.#server.address });
    if (this.#options.program) await this.#run(this.#options.program);
  }

  /** Who answers after `handOver`. */
  answering(): Promise<AbciHandlers> {
    return this.#next.promise;
  }

  /** From the next request on these answer; connections stay. */
  handOver({ handlers, height }: Pick<CometLinkDeps, 'handlers' | 'height'>): void {
    Object.assign(this.#handlers, handlers);
    this.#height = height;
    this.#next.resolve(handlers);
  }

  /** CometBFT first: it may be in the middle of a block, which it finishes. Idempotent. */
  async stop(): Promise<void> {
    // What still waits for an answer would hold CometBFT, and then the server, for ever.
    this.#next.promise.catch(() => undefined);
    this.#next.reject(new CodedError('CONSENSUS_STOPPED', 'the node stops'));
    await this.#supervisor?.stop();
    await this.#server?.close();
  }

  async #run({ path, launch, environment }: NonNullable<CometLinkOptions['program']>): Promise<void> {
    const { rpcAddress } = this.#options;
    this.#supervisor = new Supervisor(
      { path, environment, launch: { ...launch, abciAddress: this.abciAddress, rpcAddress } },
      {
        logger: this.#deps.cometLogger,
        ...(this.#deps.metrics && { metrics: this.#deps.metrics }),
        height: () => this.#height(),
        prepare: async () => {
          if (rpcAddress.startsWith('unix://')) await rm(rpcAddress.slice('unix://'.length), { force: true });
        },
        onFatal: this.#deps.onFatal,
      },
    );
    await this.#supervisor.start();
  }
}
