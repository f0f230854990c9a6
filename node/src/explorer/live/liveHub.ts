import type { HttpReply, HttpRequest } from '@chain/platform/servers';

/** Windows are updated no more often, however fast blocks come. */
const MIN_INTERVAL_MS = 500;

/** Pushes one fragment of markup to all open windows: it is made once for all of them, and only while there are any. */
export class LiveHub {
  readonly #maxStreams: number;
  readonly #fragment: () => Promise<string>;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #windows = new Set<(text: string) => void>();
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  #isStale = false;

  /** `fragment` rejects when there is nothing to show for now. */
  constructor(
    {
      maxStreams,
      headers,
    }: { readonly maxStreams: number; readonly headers: Readonly<Record<string, string>> },
    fragment: () => Promise<string>,
  ) {
    this.#maxStreams = maxStreams;
    this.#headers = headers;
    this.#fragment = fragment;
  }

  /** There is something new to show. */
  changed(): void {
    if (this.#windows.size === 0) return;
    if (this.#timer || this.#isRunning) {
      this.#isStale = true;
      return;
    }
    void this.#push();
  }

  /** One more window; 204 tells it to ask no more. */
  open(request: HttpRequest): HttpReply {
    if (this.#windows.size >= this.#maxStreams) return { status: 204, headers: this.#headers };
    return {
      headers: { ...this.#headers, 'content-type': 'text/event-stream; charset=utf-8' },
      stream: (send) => {
        this.#windows.add(send);
        request.onClose(() => this.#windows.delete(send));
        send(': open\n\n');
        // Blocks may have come since its page was made, or while it was hidden.
        this.changed();
      },
    };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#windows.clear();
  }

  async #push(): Promise<void> {
    this.#isRunning = true;
    this.#isStale = false;
    try {
      const text = eventOf(await this.#fragment());
      for (const send of this.#windows) send(text);
    } catch {
      // The next block tries again.
    }
    this.#isRunning = false;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isStale) this.changed();
    }, MIN_INTERVAL_MS);
    this.#timer.unref();
  }
}

/** Lines of an event's data each have their name. */
function eventOf(text: string): string {
  return `${text
    .split('\n')
    .map((line) => `data: ${line}`)
    .join('\n')}\n\n`;
}
