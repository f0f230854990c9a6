import { CodedError } from '@chain/platform';
import type { DbHandle } from '../../db/index.ts';
import type { BlockChanges, StoreChanges } from '../../types/index.ts';
import type { Changelog } from '../changelog/index.ts';
import { isSplitOff } from '../schema/index.ts';
import type { KeyRange, KeyValue } from '../view/index.ts';
import type { Pruner } from './retention/pruner.ts';
import type { BaseStore, EvmStore, StateMember } from './stateMember.ts';
import type { StateStore, StoreHandles } from './stateStore.ts';
import type { WriteBehind } from './writeBehind.ts';

export interface Sides {
  readonly base: BaseStore;
  /** Present with `evm-ss-split`. */
  readonly evm?: EvmStore;
}

/** A store with the part of a block that is its own. */
export interface Side {
  readonly name: 'base SS' | 'EVM SS';
  readonly member: StateMember;
  readonly own: (changes: BlockChanges) => readonly StoreChanges[];
}

export function sidesOf({ base, evm }: Sides): Side[] {
  if (evm === undefined) return [{ name: 'base SS', member: base, own: ({ stores }) => stores }];
  return [
    {
      name: 'base SS',
      member: base,
      own: ({ stores }) => stores.filter(({ store }) => !isSplitOff(store)),
    },
    {
      name: 'EVM SS',
      member: evm,
      own: ({ stores }) => stores.filter(({ store }) => isSplitOff(store)),
    },
  ];
}

/** Sends each key to its one store. There is no fallback: a key that is absent there is absent. */
export class StoreRouter implements StateStore {
  readonly #base: BaseStore;
  readonly #evm: EvmStore | undefined;
  readonly #sides: readonly Side[];
  readonly #writer: WriteBehind;
  readonly #buffer: number;
  readonly #pruner: Pruner;
  #latest: number;
  #rewinds = 0;
  #closing: Promise<void> | undefined;

  constructor(
    options: { readonly asyncWriteBuffer: number; readonly version: number },
    deps: Sides & { readonly writer: WriteBehind; readonly pruner: Pruner },
  ) {
    this.#base = deps.base;
    this.#evm = deps.evm;
    this.#sides = sidesOf(deps);
    this.#writer = deps.writer;
    this.#pruner = deps.pruner;
    this.#buffer = options.asyncWriteBuffer;
    this.#latest = options.version;
  }

  get latestVersion(): number {
    return this.#latest;
  }

  get earliestVersion(): number {
    // Asked for with every read: no arrays.
    let earliest = 0;
    for (const { member } of this.#sides) earliest = Math.max(earliest, member.markers?.earliest ?? 0);
    return earliest;
  }

  get floors(): StateStore['floors'] {
    const base = this.#base.markers?.earliest ?? 0;
    return this.#evm === undefined ? { base } : { base, evm: this.#evm.markers?.earliest ?? 0 };
  }

  get durableVersion(): number {
    return this.#writer.written;
  }

  get rewinds(): number {
    return this.#rewinds;
  }

  get handles(): StoreHandles | undefined {
    const base = this.#base.handles as DbHandle | undefined;
    const evm = this.#evm?.handles;
    if (base === undefined || (this.#evm !== undefined && evm === undefined)) return undefined;
    return { base, ...(evm && { evm }) };
  }

  get(store: string, key: Uint8Array, version: number): Uint8Array | undefined {
    return (isSplitOff(store) ? (this.#evm ?? this.#base) : this.#base).get(store, key, version);
  }

  iterate(store: string, version: number, range?: KeyRange): AsyncIterable<KeyValue> {
    if (this.#evm !== undefined && isSplitOff(store)) {
      throw new CodedError(
        'STORE_ITERATION_UNSUPPORTED',
        'store "evm" is in the EVM SS, which answers point reads only; read single keys, or run a node with evm-ss-split = false',
        { fields: { store } },
      );
    }
    return this.#base.iterate(store, version, range);
  }

  async apply(changes: BlockChanges): Promise<void> {
    if (this.#closing !== undefined) throw closed();
    if (this.#writer.failure) throw this.#writer.failure;
    const { version } = changes;
    if (version < 1 || (this.#latest > 0 && version !== this.#latest + 1)) {
      throw new CodedError(
        'STORE_VERSION_ORDER',
        `state store is at version ${this.#latest} and was given version ${version}; restart the node, it recovers from the changelog`,
        { fields: { version, latest: this.#latest } },
      );
    }
    for (const { member, own } of this.#sides) member.stage(version, own(changes));
    this.#latest = version;
    const writes = changes.stores.reduce((sum, store) => sum + store.changes.length, 0);
    this.#writer.push(version, writes);
    await this.#writer.reached(Math.max(0, version - this.#buffer));
  }

  reached(version: number): Promise<void> {
    return this.#writer.reached(Math.min(version, this.#latest));
  }

  flushed(): Promise<void> {
    return this.#writer.reached(this.#latest);
  }

  async prune(floor?: number): Promise<void> {
    if (floor !== undefined && floor > this.durableVersion) {
      throw new CodedError(
        'STORE_PRUNE_RANGE',
        `versions below ${floor} cannot be pruned: the newest durable one is ${this.durableVersion}`,
        { fields: { floor, durable: this.durableVersion } },
      );
    }
    await this.#pruner.prune(floor);
  }

  async rewind(
    version: number,
    changelog: Pick<Changelog, 'firstVersion' | 'lastVersion' | 'read'>,
  ): Promise<void> {
    const above = versionsAbove(version, this, changelog);
    await this.flushed();
    for (const { member, own } of this.#sides) {
      await member.rewind(version, {
        *[Symbol.iterator]() {
          for (const { changes } of changelog.read(version + 1, above)) yield own(changes);
        },
      });
    }
    this.#latest = version;
    this.#rewinds++;
    this.#writer.restartAt(version);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** What could not be written was reported by `apply`, and the changelog has it: closing goes on. */
  async #close(): Promise<void> {
    const stopped = this.#pruner.stop();
    await this.#writer.idle();
    // After a failed write a prune may wait for a batch that is never written: closing ends it.
    if (!this.#writer.failure) await stopped;
    await closeAll(this.#sides.map(({ member }) => member));
  }
}

/** The newest version to take back. The log may be ahead of the stores, never behind. Throws STORE_REWIND_RANGE. */
function versionsAbove(
  version: number,
  { earliestVersion, latestVersion }: StateStore,
  { firstVersion, lastVersion }: Pick<Changelog, 'firstVersion' | 'lastVersion'>,
): number {
  const isLogged = version >= latestVersion || (firstVersion <= version + 1 && lastVersion >= latestVersion);
  if (version >= Math.max(1, earliestVersion) && isLogged) return latestVersion;
  throw new CodedError(
    'STORE_REWIND_RANGE',
    `state store holds versions ${earliestVersion} to ${latestVersion} and the changelog ${firstVersion} to ${lastVersion}: version ${version} cannot be gone back to; choose a height that both reach, or state sync`,
    { fields: { version, earliestVersion, latestVersion, firstVersion, lastVersion } },
  );
}

async function closeAll(members: readonly StateMember[]): Promise<void> {
  const results = await Promise.allSettled(members.map((member) => member.close()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

function closed(): CodedError {
  return new CodedError(
    'STORE_CLOSED',
    'state store is closed; a block was applied after the node began to stop',
  );
}
