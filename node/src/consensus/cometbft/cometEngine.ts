import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, isCodedError, type Logger, messageOf } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { Chain } from '../../chain/index.ts';
import type { GenesisDoc } from '../../comet/index.ts';
import type { Execution } from '../../execution/index.ts';
import type { History } from '../../history/index.ts';
import type { QueryService } from '../../ledgerQuery/index.ts';
import type { RelayedMempool } from '../../mempool/index.ts';
import type { NetworkStanding } from '../../types/index.ts';
import type { ConsensusEngine } from '../consensusEngine.ts';
import type { SnapshotHandlers } from './abci/abciHandlers.ts';
import { type CometApplication, createCometApplication } from './application/cometApplication.ts';
import type { RetentionWish } from './application/retainHeight.ts';
import { Broadcaster } from './client/broadcaster.ts';
import { type CometClient, createCometClient } from './client/cometClient.ts';
import { BlockFetcher } from './client/fetchBlock.ts';
import { NetworkStandings } from './client/networkStanding.ts';
import { CometLink, type CometLinkOptions } from './cometLink.ts';
import { Gaps } from './gaps.ts';

export interface CometEngineOptions extends CometLinkOptions {
  readonly genesis: GenesisDoc;
  readonly maxGas: bigint;
  readonly release: string;
  readonly retention: RetentionWish;
  /** Says from which height on blocks are kept with gaps. */
  readonly gapFile: string;
}

export interface CometEngineDeps {
  readonly chain: Chain;
  readonly history: History;
  readonly pool: RelayedMempool;
  readonly execution: Pick<Execution, 'readAhead' | 'readTransaction'>;
  readonly queries: Pick<QueryService, 'answerAbci'>;
  readonly snapshots: SnapshotHandlers;
  /** To a CometBFT that has just synced the state and waits; without it the engine starts one. */
  readonly link?: CometLink;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Under which CometBFT's own records are logged. */
  readonly cometLogger: Logger;
  readonly metrics?: MetricsRegistry;
  /** Told once: no block can follow, the process must stop. */
  readonly onFatal: (error: unknown) => void;
}

/** CometBFT decides the blocks; this process is its application. */
export interface CometEngine extends ConsensusEngine {
  readonly mode: 'cometbft';
  /** CometBFT's own RPC. */
  readonly client: CometClient;
  /** As CometBFT has it, half a second old at most. Throws CONSENSUS_COMET_DOWN. */
  network(): Promise<NetworkStanding>;
  /** Where CometBFT finds the application. */
  readonly abciAddress: string;
}

const POLL_MS = 100;

export function createCometEngine(options: CometEngineOptions, deps: CometEngineDeps): CometEngine {
  return new CometBftEngine(options, deps);
}

class CometBftEngine implements CometEngine {
  readonly mode = 'cometbft';
  readonly client: CometClient;
  readonly #options: CometEngineOptions;
  readonly #deps: CometEngineDeps;
  readonly #gaps: Gaps;
  readonly #blocks: BlockFetcher;
  readonly #standings: NetworkStandings;
  #link: CometLink | undefined;
  #application: CometApplication | undefined;
  #following: Promise<void> | undefined;
  #stopped = false;

  constructor(options: CometEngineOptions, deps: CometEngineDeps) {
    this.#options = options;
    this.#deps = deps;
    this.client = createCometClient({ address: options.rpcAddress });
    this.#blocks = new BlockFetcher(this.client);
    this.#standings = new NetworkStandings(this.client);
    const completing = new BlockFetcher(this.client);
    this.#gaps = new Gaps(
      { file: options.gapFile },
      { ...deps, fetchBlock: (known) => completing.fetch([known])[0]! },
    );
    const broadcaster = new Broadcaster(this.client);
    deps.pool.relayTo((raw) => broadcaster.send(raw));
  }

  get abciAddress(): string {
    return this.#link?.abciAddress ?? this.#options.abciAddress;
  }

  network(): Promise<NetworkStanding> {
    return this.#standings.newest();
  }

  async start(): Promise<void> {
    const { genesis, maxGas, release, retention } = this.#options;
    this.#application = createCometApplication(
      { genesis, maxGas, release, retention },
      {
        ...this.#deps,
        fetchBlocks: (known) => this.#blocks.fetch(known),
        onHandshake: () => this.#follow(),
        onGap: (height) => this.#gaps.note(height),
        onFailure: this.#deps.onFatal,
      },
    );
    const { handlers } = this.#application;
    const answering = { handlers, height: () => this.#deps.chain.height };
    this.#link = this.#deps.link ?? new CometLink(this.#options, { ...this.#deps, ...answering });
    if (!this.#deps.link) return this.#link.start();
    this.#link.handOver(answering);
    // It has shaken hands with who answered before.
    this.#follow();
  }

  /** CometBFT first: it may be in the middle of a block, which it finishes. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#link?.stop();
    // A failure has been told.
    await this.#application?.settled().catch(() => undefined);
    await this.#following;
    this.client.close();
  }

  /** After a handshake, as soon as CometBFT's RPC is there: what it replayed is completed, and its pool filled. */
  #follow(): void {
    this.#following ??= this.#catchUp()
      .catch((error: unknown) => {
        this.#deps.logger.warn('Catching up with CometBFT failed; the next connection tries again', {
          reason: messageOf(error),
        });
      })
      .finally(() => {
        this.#following = undefined;
      });
  }

  async #catchUp(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.client.call('health');
        if (await this.#gaps.complete()) return await this.#deps.pool.relayAll();
        await pause(POLL_MS);
      } catch (error) {
        if (!isCodedError(error, 'CONSENSUS_COMET_DOWN')) throw error;
        await pause(POLL_MS);
      }
    }
  }
}
