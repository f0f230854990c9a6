import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncDirectory } from '../../changelog/index.ts';
import { appHashOf } from '../appHash.ts';
import { encodeMultiTreeMetadata } from '../snapshot/multiTreeMetadata.ts';
import { SnapshotDirectory } from '../snapshot/snapshotDirectory.ts';
import { malformed } from './malformedStream.ts';
import { NodeWindow } from './nodeWindow.ts';
import { TreeBuilder } from './treeBuilder.ts';

export interface CommitImportOptions {
  /** Of the state commitment; nobody may have it open. */
  readonly directory: string;
  readonly version: number;
  /** Names of all stores; those that the stream does not have become empty. */
  readonly stores: readonly string[];
}

/**
 * Builds a snapshot of the state commitment from the nodes of all stores, as `exportState` hands them out, in a
 * draft that counts for nothing until `publishImport`. Throws STATE_COMMIT_IMPORT.
 */
export class CommitImporter {
  readonly #options: CommitImportOptions;
  readonly #draft: string;
  readonly #window = new NodeWindow();
  readonly #hashes = new Map<string, Uint8Array>();
  #open: { readonly name: string; readonly tree: TreeBuilder } | undefined;

  constructor(options: CommitImportOptions) {
    this.#options = options;
    mkdirSync(options.directory, { recursive: true });
    syncDirectory(dirname(options.directory));
    this.#draft = new SnapshotDirectory(options.directory).draftPath(options.version);
    rmSync(this.#draft, { recursive: true, force: true });
    mkdirSync(this.#draft);
  }

  /** Ends the store before it. */
  store(name: string): void {
    this.#finishStore();
    if (!this.#options.stores.includes(name)) {
      throw malformed(`this program has no store "${name}"; it has ${this.#options.stores.join(', ')}`);
    }
    if (this.#hashes.has(name)) throw malformed(`store "${name}" comes twice`);
    this.#begin(name);
  }

  leaf(key: Uint8Array, value: Uint8Array, version: number): void {
    this.#tree().leaf(key, value, version);
  }

  branch(height: number, version: number): void {
    this.#tree().branch(height, version);
  }

  /** Completes the draft on disk and gives its app hash. */
  finish(): Uint8Array {
    this.#finishStore();
    const { stores, version } = this.#options;
    for (const name of stores) {
      if (this.#hashes.has(name)) continue;
      this.#begin(name);
      this.#finishStore();
    }
    const infos = [...this.#hashes]
      .map(([name, hash]) => ({ name, version, hash }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const metadata = encodeMultiTreeMetadata({ version, initialVersion: version + 1, stores: infos });
    writeFileSync(join(this.#draft, '__metadata'), metadata, { flush: true });
    syncDirectory(this.#draft);
    return appHashOf(this.#hashes);
  }

  #begin(name: string): void {
    const options = { directory: join(this.#draft, name), version: this.#options.version };
    this.#open = { name, tree: new TreeBuilder(options, this.#window) };
  }

  #finishStore(): void {
    if (this.#open) this.#hashes.set(this.#open.name, this.#open.tree.finish());
    this.#open = undefined;
  }

  #tree(): TreeBuilder {
    if (this.#open) return this.#open.tree;
    throw malformed('a node comes before the first store');
  }
}

/** Makes the finished draft of a version the current snapshot of the state commitment. */
export function publishImport({
  directory,
  version,
}: Pick<CommitImportOptions, 'directory' | 'version'>): void {
  new SnapshotDirectory(directory).publish(version);
}
