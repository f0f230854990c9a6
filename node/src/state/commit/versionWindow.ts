import { CodedError } from '@chain/platform';
import type { MultiTree } from './multiTree.ts';
import { ProvableState } from './proof/provableState.ts';

/**
 * Superseded states that may be open at once. One is enough when snapshots are further apart than the versions
 * that are kept; each has the files of a snapshot open.
 */
const MAX_SUPERSEDED = 4;

/**
 * The newest versions that can be read: those that the present state keeps, and for a while those of the states
 * which stood on older snapshots and were superseded.
 */
export class VersionWindow {
  readonly #count: number;
  /** Oldest first. */
  readonly #superseded: MultiTree[] = [];
  #present: MultiTree;
  #last: ProvableState | undefined;

  constructor(present: MultiTree, count: number) {
    this.#present = present;
    this.#count = count;
  }

  get present(): MultiTree {
    return this.#present;
  }

  get oldestVersion(): number {
    const oldest = this.#superseded[0] ?? this.#present;
    return Math.max(this.#present.version - this.#count + 1, oldest.oldestVersion);
  }

  /** The state after block `version`. Throws STATE_COMMIT_VERSION_NOT_HELD. */
  at(version: number): ProvableState {
    if (this.#last?.version === version && version >= this.oldestVersion) return this.#last;
    const state = this.#holding(version);
    const roots = state?.rootsAt(version);
    if (!state || !roots) throw notHeld(version, this);
    const storeHashes = state.storeHashes(roots);
    const trees = new Map(
      [...state.trees].map(([name, { space }]) => [name, { space, root: roots.get(name)! }]),
    );
    this.#last = new ProvableState(version, trees, storeHashes);
    return this.#last;
  }

  /** `fresh` holds the very state of `present`, over a newer snapshot. */
  replace(fresh: MultiTree): void {
    this.#last = undefined;
    this.#superseded.push(this.#present);
    this.#present = fresh;
    if (this.#superseded.length > MAX_SUPERSEDED) this.#superseded.shift()!.close();
    this.trim();
  }

  /** `older` takes the place of all that is here. */
  restart(older: MultiTree): void {
    this.close();
    this.#superseded.length = 0;
    this.#present = older;
  }

  /** To be called when the present state has moved: closes the states that nobody needs any more. */
  trim(): void {
    const oldest = this.#present.version - this.#count + 1;
    while (this.#superseded.length > 0) {
      const next = this.#superseded[1] ?? this.#present;
      if (next.oldestVersion > oldest && this.#superseded[0]!.version >= oldest) return;
      this.#last = undefined;
      this.#superseded.shift()!.close();
    }
  }

  close(): void {
    this.#last = undefined;
    for (const state of [...this.#superseded.splice(0), this.#present]) state.close();
  }

  #holding(version: number): MultiTree | undefined {
    if (version < this.oldestVersion) return undefined;
    return [...this.#superseded, this.#present].findLast((state) => state.rootsAt(version) !== undefined);
  }
}

function notHeld(version: number, { oldestVersion, present }: VersionWindow): CodedError {
  return new CodedError(
    'STATE_COMMIT_VERSION_NOT_HELD',
    `version ${version} cannot be proven: state commit holds ${oldestVersion} to ${present.version}; ask for one of these`,
    { fields: { version, oldestVersion, newestVersion: present.version } },
  );
}
