import { type Clock, messageOf } from '@chain/platform';

/** What the node last said of itself. */
export interface UpstreamState {
  /** Why there is nothing to say, when the last question was not answered. */
  readonly failure: string | undefined;
  readonly height: number;
  /** When the newest block was made, in ms of the epoch; 0 before the first. */
  readonly blockTimeMs: number;
  readonly catchingUp: boolean;
}

export interface UpstreamWatchOptions {
  readonly pollIntervalMs: number;
}

export interface UpstreamWatchDeps {
  /** `/status` of the consensus RPC. */
  readonly status: (timeoutMs: number) => Promise<unknown>;
  readonly clock: Clock;
  /** Told when the node begins or stops to answer. */
  readonly onChange: (state: UpstreamState) => void;
}

const NOT_ASKED: UpstreamState = {
  failure: 'the node has not been asked yet',
  height: 0,
  blockTimeMs: 0,
  catchingUp: true,
};
/** A node that does not answer such a question in this time serves nobody. */
const ANSWER_MS = 5_000;

/** Asks the node now and then how it is; its own questions count against nobody's limit. */
export class UpstreamWatch {
  readonly #deps: UpstreamWatchDeps;
  #options: UpstreamWatchOptions;
  #state: UpstreamState = NOT_ASKED;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: UpstreamWatchOptions, deps: UpstreamWatchDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  get state(): UpstreamState {
    return this.#state;
  }

  configure(options: UpstreamWatchOptions): void {
    this.#options = options;
  }

  /** Asks once, and goes on until it is closed. */
  async start(): Promise<void> {
    const next = await this.#ask();
    if (this.#isClosed) return;
    const changed = (next.failure === undefined) !== (this.#state.failure === undefined);
    const isFirst = this.#state === NOT_ASKED;
    this.#state = next;
    if (changed || isFirst) this.#deps.onChange(next);
    this.#timer = setTimeout(() => void this.start(), this.#options.pollIntervalMs).unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #ask(): Promise<UpstreamState> {
    try {
      return readStatus(await this.#deps.status(ANSWER_MS));
    } catch (error) {
      return { ...this.#state, failure: `the node does not answer: ${messageOf(error)}` };
    }
  }
}

interface StatusAnswer {
  readonly result?: {
    readonly sync_info?: {
      readonly latest_block_height?: string;
      readonly latest_block_time?: string;
      readonly catching_up?: boolean;
    };
  };
}

function readStatus(answer: unknown): UpstreamState {
  const info = (answer as StatusAnswer).result?.sync_info;
  const height = Number(info?.latest_block_height);
  if (!info || !Number.isSafeInteger(height)) throw new RangeError('/status has no sync_info');
  const time = Date.parse(info.latest_block_time ?? '');
  return {
    failure: undefined,
    height,
    blockTimeMs: height > 0 && Number.isFinite(time) ? time : 0,
    catchingUp: info.catching_up === true,
  };
}
