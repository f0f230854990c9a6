import { type Logger, messageOf, onStopSignal } from '@chain/platform';
import { loadConfig, type NodeConfig } from '../../config/index.ts';
import type { ControlStatus, SampledRow } from '../../migrate/index.ts';
import type { RunningNode } from '../node.ts';
import { RELEASE } from '../release.ts';
import { runUntilStopped } from '../runUntilStopped.ts';
import type { StartOptions } from '../startOptions.ts';
import { describeStateSync } from '../stateSync/describeStateSync.ts';
import { notRunning } from './controlErrors.ts';
import { type Controls, openControlServer } from './controlServer.ts';
import { overridesOf } from './overridesOf.ts';
import { sampleEvmRows } from './sampleEvmRows.ts';

/**
 * The process of `chaind start`: opens the node, and, told so on its control socket, closes it, waits, and opens it
 * again by the files of then. A service manager sees one process that goes on.
 */
export class NodeProcess implements Controls {
  readonly #options: StartOptions;
  readonly #deps: { readonly logger: Logger; readonly blockTimeMs: number };
  #config: NodeConfig | undefined;
  #node: RunningNode | undefined;
  #phase: ControlStatus['phase'] = 'starting';
  #progress: string | undefined;
  #failure: string | undefined;
  #park = new AbortController();
  #parked = Promise.withResolvers<void>();
  #resumed = Promise.withResolvers<void>();

  constructor(options: StartOptions, deps: { readonly logger: Logger; readonly blockTimeMs: number }) {
    this.#options = options;
    this.#deps = deps;
  }

  /** Resolves when a signal has ended it. Rejects when the first start fails, or a running node cannot go on. */
  async run(): Promise<void> {
    const { logger } = this.#deps;
    const control = await openControlServer(this.#options.home, { controls: this, logger });
    try {
      for (let wasParked = false; ; ) {
        const end = await this.#runOnce(wasParked);
        if (end === 'stopped') return;
        if (end === 'again') continue;
        wasParked = true;
        this.#phase = 'parked';
        this.#parked.resolve();
        logger.info('Node is parked: the control socket, or a signal, ends that');
        if (!(await this.#untilResumed())) return;
      }
    } finally {
      await control.close();
    }
  }

  status(): ControlStatus {
    const node = this.#node;
    const store = this.#config?.app['state-store'];
    return {
      pid: process.pid,
      release: RELEASE,
      phase: this.#phase,
      engine: this.#config?.app.node.engine ?? '',
      mode: this.#config?.app.node.mode ?? '',
      split: store?.['evm-ss-split'] ?? false,
      backend: store?.['ss-backend'] ?? '',
      overrides: overridesOf(this.#options),
      ...(this.#progress !== undefined && { progress: this.#progress }),
      ...(this.#failure !== undefined && { failure: this.#failure }),
      ...(node && {
        height: node.chain.height,
        floors: node.state.stateStore.floors,
        ...(node.rpcUrl !== undefined && { jsonRpc: node.rpcUrl }),
        ...(node.consensusUrl !== undefined && { consensusRpc: node.consensusUrl }),
      }),
    };
  }

  park(): Promise<void> {
    if (this.#phase !== 'parked') this.#phase = 'stopping';
    this.#park.abort();
    return this.#parked.promise;
  }

  resume(): void {
    this.#resumed.resolve();
  }

  async sample(height: number, count: number): Promise<readonly SampledRow[]> {
    if (!this.#node) throw notRunning(this.#phase);
    return sampleEvmRows(this.#node.state, { height, count });
  }

  /** A start that fails after a park leaves the process parked, to be told and tried again. */
  async #runOnce(wasParked: boolean): Promise<'stopped' | 'parked' | 'again'> {
    const { logger, blockTimeMs } = this.#deps;
    const { environment } = this.#options;
    this.#phase = 'starting';
    this.#failure = undefined;
    let opened = false;
    try {
      this.#config = await loadConfig(this.#options);
      return await runUntilStopped(
        { config: this.#config, blockTimeMs, environment },
        {
          logger,
          park: this.#park.signal,
          onProgress: (progress) => {
            this.#phase = 'syncing';
            this.#progress = describeStateSync(progress);
          },
        },
        (node) => {
          opened = true;
          this.#opened(node);
        },
      );
    } catch (error) {
      if (!wasParked || opened) throw error;
      logger.error('The node does not start again and stays parked', { error });
      this.#failure = messageOf(error);
      return 'parked';
    } finally {
      this.#node = undefined;
      this.#progress = undefined;
    }
  }

  #opened(node: RunningNode): void {
    this.#node = node;
    this.#phase = 'running';
    this.#progress = undefined;
    const { chain, rpcUrl, webSocketUrl, consensusUrl, grpcAddress, restUrl } = node;
    this.#deps.logger.info('Node is running', {
      height: chain.height,
      jsonRpc: rpcUrl,
      webSocket: webSocketUrl,
      consensusRpc: consensusUrl,
      grpc: grpcAddress,
      rest: restUrl,
    });
  }

  /** False when a signal ends the process instead. */
  async #untilResumed(): Promise<boolean> {
    const { promise: ended, resolve } = Promise.withResolvers<boolean>();
    const unlisten = onStopSignal(() => resolve(false));
    const goesOn = await Promise.race([ended, this.#resumed.promise.then(() => true)]);
    unlisten();
    this.#park = new AbortController();
    this.#parked = Promise.withResolvers();
    this.#resumed = Promise.withResolvers();
    this.#phase = 'starting';
    return goesOn;
  }
}
