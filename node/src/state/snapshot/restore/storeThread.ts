import { workerData } from 'node:worker_threads';
import { StoreImporter, type StoreImportOptions } from '../../store/index.ts';
import { ItemReader } from '../stream/itemReader.ts';
import { StoreSections } from './sections.ts';
import { serveImport } from './serveImport.ts';

/** Runs as a thread of its own: fills the base SS and the EVM SS from the stream. */
const { options, slabs } = workerData as {
  readonly options: StoreImportOptions;
  readonly slabs: readonly SharedArrayBuffer[];
};
const opening = StoreImporter.open(options);
// Reported by whoever uses it first.
opening.catch(() => undefined);
let rows = 0;
let full: Promise<void>[] = [];

async function createReader(): Promise<ItemReader> {
  const importer = await opening;
  const sections = new StoreSections((store, key, value) => {
    rows++;
    const room = importer.put(store, key, value);
    if (room) full.push(room);
  });
  return new ItemReader(sections);
}
const reader = createReader();
reader.catch(() => undefined);

serveImport(
  {
    piece: async (bytes) => {
      (await reader).push(bytes);
      const waiting = full;
      full = [];
      await Promise.all(waiting);
    },
    finish: async () => {
      (await reader).finish();
      await (await opening).flush();
      return { rows };
    },
    complete: async () => (await opening).complete(),
    close: async () => (await opening.catch(() => undefined))?.close(),
  },
  slabs,
);
