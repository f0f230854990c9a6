import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bytesToHex, hexToBytes } from '../../../primitives/index.ts';
import { syncDirectorySync } from '../../changelog/index.ts';
import { appHashOf } from '../appHash.ts';
import type { LeafPlace } from '../export/leafPlace.ts';
import { encodeMultiTreeMetadata } from '../snapshot/multiTreeMetadata.ts';
import { SnapshotDirectory } from '../snapshot/snapshotDirectory.ts';
import { lostPosition, malformed } from './malformedStream.ts';
import { NodeWindow } from './nodeWindow.ts';
import { TreeBuilder, type TreePosition } from './treeBuilder.ts';

export interface CommitImportOptions {
  /** Of the state commitment; nobody may have it open. */
  readonly directory: string;
  readonly version: number;
  /** Names of all stores; those that the stream does not have become empty. */
  readonly stores: readonly string[];
  /** Go on behind it, with the nodes that follow. */
  readonly from?: CommitPosition;
}

/** How far an import is durable; plain, so that it can be noted. */
export interface CommitPosition {
  /** Root hashes in hex by store, of the stores that are whole. */
  readonly finished: Readonly<Record<string, string>>;
  readonly open?: { readonly name: string; readonly tree: TreePosition };
}

/**
 * Builds a snapshot of the state commitment from the nodes of all stores, as `exportState` hands them out, in a
 * draft that counts for nothing until `publishImport`. Throws STATE_COMMIT_IMPORT, and STATE_COMMIT_IMPORT_POSITION
 * when the draft is not what `from` says.
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
    syncDirectorySync(dirname(options.directory));
    this.#draft = new SnapshotDirectory(options.directory).draftPath(options.version);
    if (options.from !== undefined) {
      this.#goOn(options.from);
      return;
    }
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

  leaf(leaf: LeafPlace): void {
    this.#tree().leaf(leaf);
  }

  branch(height: number, version: number): void {
    this.#tree().branch(height, version);
  }

  /** Makes all nodes so far durable. */
  checkpoint(): CommitPosition {
    const open = this.#open && { name: this.#open.name, tree: this.#open.tree.checkpoint() };
    syncDirectorySync(this.#draft);
    syncDirectorySync(this.#options.directory);
    const finished = Object.fromEntries([...this.#hashes].map(([name, hash]) => [name, bytesToHex(hash)]));
    return { finished, ...(open && { open }) };
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
    syncDirectorySync(this.#draft);
    return appHashOf(this.#hashes);
  }

  #goOn({ finished, open }: CommitPosition): void {
    const { directory, version } = this.#options;
    const published = new SnapshotDirectory(directory).snapshotPath(version);
    // Interrupted between the last two steps of all.
    if (!existsSync(this.#draft) && existsSync(published)) renameSync(published, this.#draft);
    rmSync(join(directory, 'current'), { force: true });
    if (!existsSync(this.#draft)) throw lostPosition(this.#draft);
    for (const name of readdirSync(this.#draft)) {
      // Begun behind the position.
      if (name !== open?.name && !(name in finished)) rmSync(join(this.#draft, name), { recursive: true });
    }
    for (const [name, hash] of Object.entries(finished)) {
      if (!existsSync(join(this.#draft, name, 'metadata'))) throw lostPosition(join(this.#draft, name));
      this.#hashes.set(name, hexToBytes(hash));
    }
    if (open !== undefined) this.#begin(open.name, open.tree);
  }

  #begin(name: string, from?: TreePosition): void {
    const options = { directory: join(this.#draft, name), version: this.#options.version };
    this.#open = { name, tree: new TreeBuilder({ ...options, ...(from && { from }) }, this.#window) };
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
}: Pick<CommitImportOptions, 'directory' | 'version'>): Promise<void> {
  return new SnapshotDirectory(directory).publish(version);
}
