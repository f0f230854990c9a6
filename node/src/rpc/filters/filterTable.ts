import type { Clock } from '@chain/platform';
import type { LogCriteria } from '../codec/logQuery.ts';
import { randomId } from '../randomId.ts';
import { serverError } from '../rpcError.ts';

/** Filters and logs are of a namespace: `chain` also has synthetic logs, and its ids are its own. */
export type LogNamespace = 'eth' | 'chain';

/** What a filter is for. */
export type FilterKind =
  | { readonly kind: 'blocks' }
  | { readonly kind: 'transactions' }
  | { readonly kind: 'logs'; readonly criteria: LogCriteria };

/** An installed filter. */
export type Filter = FilterKind & {
  /** The first height that the next poll covers; of a transaction filter, how many it has been given. */
  cursor: number;
  /** Settles when no poll is under way. */
  polling: Promise<unknown>;
  /** Logs that were given and whose blocks were taken back since. */
  readonly removed: unknown[];
  /** What the next poll fails with, once. */
  failure: Error | undefined;
};

/** Who may use a filter, and for whom it counts. */
export interface FilterOwner {
  readonly namespace: LogNamespace;
  /** The address that installed it. */
  readonly client: string;
}

interface Entry {
  readonly filter: Filter;
  readonly owner: FilterOwner;
  usedAt: number;
}

export interface FilterTableOptions {
  /** A filter that nobody polls for so long is gone. */
  readonly timeoutMs: number;
  /** Filters at once; a new one is refused above it. */
  readonly filtersMax: number;
  /** Filters at once of one client address. */
  readonly clientFiltersMax: number;
}

/** Filters by id, until they are removed or expire (service.md, Log filter lifecycle). */
export class FilterTable {
  readonly #options: FilterTableOptions;
  readonly #clock: Clock;
  /** In the order of their last use: the first one expires first. */
  readonly #filters = new Map<string, Entry>();
  readonly #countOf = new Map<string, number>();

  constructor(options: FilterTableOptions, { clock }: { readonly clock: Clock }) {
    this.#options = options;
    this.#clock = clock;
  }

  /** Throws −32000 when there are too many, over all or of this client. */
  install(kind: FilterKind, cursor: number, owner: FilterOwner): string {
    this.#expire();
    const { filtersMax, clientFiltersMax } = this.#options;
    const count = this.#countOf.get(owner.client) ?? 0;
    if (this.#filters.size >= filtersMax) throw tooMany(`${this.#filters.size} are installed`);
    if (count >= clientFiltersMax) throw tooMany(`${owner.client} has installed ${count}`);
    const id = randomId();
    const filter = { ...kind, cursor, polling: Promise.resolve(), removed: [], failure: undefined };
    this.#filters.set(id, { filter, owner, usedAt: this.#clock.now() });
    this.#countOf.set(owner.client, count + 1);
    return id;
  }

  /** All that have not expired, and whose logs they give. */
  installed(): { readonly filter: Filter; readonly namespace: LogNamespace }[] {
    this.#expire();
    return [...this.#filters.values()].map(({ filter, owner: { namespace } }) => ({ filter, namespace }));
  }

  /** The filter, which is thereby used. Throws −32000 when the namespace has none of this id. */
  use(id: string, namespace: LogNamespace): Filter {
    const entry = this.#find(id, namespace);
    if (!entry) throw serverError('filter does not exist');
    this.#filters.delete(id);
    this.#filters.set(id, { ...entry, usedAt: this.#clock.now() });
    return entry.filter;
  }

  /** Whether there was one. */
  uninstall(id: string, namespace: LogNamespace): boolean {
    const entry = this.#find(id, namespace);
    if (entry) this.#remove(id, entry);
    return entry !== undefined;
  }

  #find(id: string, namespace: LogNamespace): Entry | undefined {
    this.#expire();
    const entry = this.#filters.get(id);
    return entry?.owner.namespace === namespace ? entry : undefined;
  }

  #remove(id: string, { owner: { client } }: Entry): void {
    this.#filters.delete(id);
    const left = (this.#countOf.get(client) ?? 1) - 1;
    if (left > 0) this.#countOf.set(client, left);
    else this.#countOf.delete(client);
  }

  #expire(): void {
    const oldest = this.#clock.now() - this.#options.timeoutMs;
    for (const [id, entry] of this.#filters) {
      if (entry.usedAt > oldest) return;
      this.#remove(id, entry);
    }
  }
}

function tooMany(why: string) {
  return serverError(`too many filters: ${why}; uninstall some or let them expire`);
}
