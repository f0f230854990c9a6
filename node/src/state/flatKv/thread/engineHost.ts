import { decodeEntry } from '../../changelog/index.ts';
import { type ApplyOptions, FlatKvEngine, type TableChecks } from '../engine.ts';
import { buildingDirectory, dropWorking, installBuilding, workingDirectory } from '../layout.ts';
import type { EngineRequest, EngineStatus } from './messages.ts';

/** The thread's side: owns the engine, and which directory it is open on. */
export class EngineHost {
  readonly #directory: string;
  readonly #checks: TableChecks;
  #engine: FlatKvEngine | undefined;

  constructor(directory: string, checks: TableChecks = {}) {
    this.#directory = directory;
    this.#checks = checks;
  }

  async handle(request: EngineRequest): Promise<EngineStatus> {
    const started = performance.now();
    await this.#run(request);
    const engine = this.#engine;
    return {
      version: engine?.version ?? 0,
      newestVersion: engine?.newestVersion ?? 0,
      durableVersion: engine?.durableVersion ?? 0,
      hash: engine?.hash ?? new Uint8Array(0),
      seconds: (performance.now() - started) / 1000,
    };
  }

  async #run(request: EngineRequest): Promise<void> {
    switch (request.kind) {
      case 'open':
        return this.#switchTo(workingDirectory(this.#directory));
      case 'apply':
        return this.#apply(request.payloads, { sync: true });
      case 'rewind':
        return this.#apply([request.payload], { sync: true, rewind: true });
      case 'rebuild':
        await this.#close();
        dropWorking(this.#directory);
        return this.#switchTo(buildingDirectory(this.#directory));
      case 'rows':
        return this.#apply([request.payload], { sync: true, again: true });
      case 'install':
        await this.#close();
        installBuilding(this.#directory);
        return this.#switchTo(workingDirectory(this.#directory));
      case 'close':
        return this.#close();
    }
  }

  async #apply(payloads: readonly Uint8Array[], options: ApplyOptions): Promise<void> {
    await this.#engine!.apply(
      payloads.map((payload) => decodeEntry(payload).changes),
      options,
    );
  }

  async #switchTo(directory: string): Promise<void> {
    await this.#close();
    this.#engine = await FlatKvEngine.open(directory, this.#checks);
  }

  async #close(): Promise<void> {
    const engine = this.#engine;
    this.#engine = undefined;
    await engine?.close();
  }
}
