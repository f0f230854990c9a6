import type { Clock } from '@chain/platform';
import type { ClientState } from '../clients/clientState.ts';
import { criteriaBytes } from '../clients/criteriaSize.ts';
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
  readonly release: () => void;
  usedAt: number;
}

export interface FilterTableOptions {
  /** A filter that nobody polls for so long is gone. */
  readonly timeoutMs: number;
}

interface FilterTableDeps {
  readonly clock: Clock;
  readonly clients: Pick<ClientState, 'hold'>;
}

/** Filters by id, until they are removed or expire (spec R-21). */
export class FilterTable {
  readonly #options: FilterTableOptions;
  readonly #clock: Clock;
  readonly #clients: FilterTableDeps['clients'];
  /** In the order of their last use: the first one expires first. */
  readonly #filters = new Map<string, Entry>();

  constructor(options: FilterTableOptions, { clock, clients }: FilterTableDeps) {
    this.#options = options;
    this.#clock = clock;
    this.#clients = clients;
  }

  /** Throws −32000 when there are too many, or too large ones, over all or of this client. */
  install(kind: FilterKind, cursor: number, owner: FilterOwner): string {
    this.#expire();
    const criteria = kind.kind === 'logs' ? kind.criteria : undefined;
    const release = this.#clients.hold('filters', owner.client, criteriaBytes(criteria));
    const id = randomId();
    const filter = { ...kind, cursor, polling: Promise.resolve(), removed: [], failure: undefined };
    this.#filters.set(id, { filter, owner, release, usedAt: this.#clock.now() });
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

  #remove(id: string, { release }: Entry): void {
    this.#filters.delete(id);
    release();
  }

  #expire(): void {
    const oldest = this.#clock.now() - this.#options.timeoutMs;
    for (const [id, entry] of this.#filters) {
      if (entry.usedAt > oldest) return;
      this.#remove(id, entry);
    }
  }
}
