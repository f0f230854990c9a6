import type { Clock } from '@chain/platform';
import type { LogCriteria } from '../codec/logQuery.ts';
import { randomId } from '../randomId.ts';
import { serverError } from '../rpcError.ts';

/** An installed filter. `cursor` is the first height that the next poll covers. */
export type Filter =
  | { readonly kind: 'blocks'; cursor: number }
  | { readonly kind: 'logs'; readonly criteria: LogCriteria; cursor: number };

export interface FilterTableOptions {
  /** A filter that nobody polls for so long is gone. */
  readonly timeoutMs: number;
  /** Filters at once; a new one is refused above it. */
  readonly filtersMax: number;
}

/** Filters by id, until they are removed or expire (service.md, Log filter lifecycle). */
export class FilterTable {
  readonly #options: FilterTableOptions;
  readonly #clock: Clock;
  /** In the order of their last use: the first one expires first. */
  readonly #filters = new Map<string, { readonly filter: Filter; usedAt: number }>();

  constructor(options: FilterTableOptions, { clock }: { readonly clock: Clock }) {
    this.#options = options;
    this.#clock = clock;
  }

  install(filter: Filter): string {
    this.#expire();
    if (this.#filters.size >= this.#options.filtersMax) {
      throw serverError(
        `too many filters: ${this.#filters.size} are installed; uninstall some or let them expire`,
      );
    }
    const id = randomId();
    this.#filters.set(id, { filter, usedAt: this.#clock.now() });
    return id;
  }

  /** The filter, which is thereby used. Throws −32000 when it does not exist. */
  use(id: string): Filter {
    this.#expire();
    const entry = this.#filters.get(id);
    if (!entry) throw serverError('filter does not exist');
    this.#filters.delete(id);
    this.#filters.set(id, { filter: entry.filter, usedAt: this.#clock.now() });
    return entry.filter;
  }

  /** Whether there was one. */
  uninstall(id: string): boolean {
    this.#expire();
    return this.#filters.delete(id);
  }

  #expire(): void {
    const oldest = this.#clock.now() - this.#options.timeoutMs;
    for (const [id, { usedAt }] of this.#filters) {
      if (usedAt > oldest) return;
      this.#filters.delete(id);
    }
  }
}
