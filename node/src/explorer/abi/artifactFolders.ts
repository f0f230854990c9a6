import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Clock, type Logger, parseJson } from '@chain/platform';
import { Interface, type InterfaceAbi } from 'ethers';
import type { AbiBook } from './abiBook.ts';
import type { ImmutableReferences } from './contractNames.ts';

/** A build artefact of Foundry or Hardhat: of all that is in it, what the explorer uses. */
interface Artifact {
  readonly abi?: unknown;
  readonly contractName?: unknown;
  /** Hardhat: hex. Foundry: an object. */
  readonly deployedBytecode?: unknown;
  readonly immutableReferences?: unknown;
}

const REFRESH_MS = 5_000;
const MAX_FILES = 2_000;
const MAX_DEPTH = 6;
const MAX_FILE_BYTES = 8 << 20;

/** Folders of build artefacts; a build that is made while the node runs is seen by the next page. */
export class ArtifactFolders {
  readonly #folders: readonly string[];
  readonly #deps: { readonly abis: AbiBook; readonly clock: Clock; readonly logger: Logger };
  /** Time of each file when it was read. */
  readonly #read = new Map<string, number>();
  #refreshed = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<void> | undefined;

  constructor(
    folders: readonly string[],
    deps: { readonly abis: AbiBook; readonly clock: Clock; readonly logger: Logger },
  ) {
    this.#folders = folders;
    this.#deps = deps;
  }

  /** Reads what is new. A file that is no artefact is passed over. */
  async refresh(): Promise<void> {
    if (this.#folders.length === 0 || this.#deps.clock.now() - this.#refreshed < REFRESH_MS) return;
    this.#refreshing ??= this.#readAll().finally(() => {
      this.#refreshed = this.#deps.clock.now();
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  async #readAll(): Promise<void> {
    const files: string[] = [];
    for (const folder of this.#folders) await listFiles(folder, MAX_DEPTH, files);
    for (const file of files) {
      try {
        await this.#readOne(file);
      } catch (error) {
        this.#deps.logger.debug('A file of the artefact folders was not read', { file, error });
      }
    }
  }

  async #readOne(file: string): Promise<void> {
    const { mtimeMs, size } = await stat(file);
    if (this.#read.get(file) === mtimeMs || size > MAX_FILE_BYTES) return;
    this.#read.set(file, mtimeMs);
    const artifact = parseJson(await readFile(file)) as Artifact | null;
    if (!Array.isArray(artifact?.abi)) return;
    const { abis } = this.#deps;
    abis.add(new Interface(artifact.abi as InterfaceAbi));
    const name = typeof artifact.contractName === 'string' ? artifact.contractName : basename(file, '.json');
    const { code, immutables } = codeOf(artifact);
    if (code !== undefined) abis.names.add(name, code, immutables);
  }
}

/** Not `.dbg.json`, `build-info` and the like: they hold no contract of their own. */
async function listFiles(folder: string, depth: number, files: string[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (files.length === MAX_FILES) return;
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth > 0 && entry.name !== 'build-info')
      await listFiles(path, depth - 1, files);
    else if (entry.isFile() && /^[^.]+\.json$/.test(entry.name)) files.push(path);
  }
}

function codeOf({ deployedBytecode: deployed, immutableReferences }: Artifact): {
  readonly code?: string;
  readonly immutables?: ImmutableReferences;
} {
  if (typeof deployed === 'string') {
    return { code: deployed, immutables: (immutableReferences ?? {}) as ImmutableReferences };
  }
  const { object, immutableReferences: inside } = (deployed ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof object !== 'string') return {};
  return { code: object, immutables: (inside ?? {}) as ImmutableReferences };
}
