import { workerData } from 'node:worker_threads';
import { StoreImporter, type StoreImportOptions } from '../../store/index.ts';
import { ItemReader, type StreamPosition } from '../stream/itemReader.ts';
import { StoreSections } from './sections.ts';
import { serveImport } from './serveImport.ts';

/** Runs as a thread of its own: fills the base SS and the EVM SS from the stream. */
const { options, from, slabs, ...given } = workerData as {
  readonly options: StoreImportOptions;
  readonly from?: StreamPosition;
  readonly rows: number;
  readonly slabs: readonly SharedArrayBuffer[];
};
const opening = StoreImporter.open(options);
// Reported by whoever uses it first.
opening.catch(() => undefined);
let { rows } = given;
let full: Promise<void>[] = [];

async function createReader(): Promise<ItemReader> {
  const importer = await opening;
  const sections = new StoreSections((store, row) => {
    rows++;
    const room = importer.put(store, row);
    if (room) full.push(room);
  }, from?.section);
  return new ItemReader(sections, from);
}
const reader = createReader();
reader.catch(() => undefined);

async function flushed() {
  const { position: stream } = await reader;
  await (await opening).flush();
  return { position: { stream, rows } };
}

serveImport(
  {
    piece: async (bytes) => {
      (await reader).push(bytes);
      const waiting = full;
      full = [];
      await Promise.all(waiting);
    },
    ready: async () => void (await opening),
    checkpoint: flushed,
    finish: async () => {
      (await reader).finish();
      return flushed();
    },
    complete: async () => (await opening).complete(),
    close: async () => (await opening.catch(() => undefined))?.close(),
  },
  slabs,
);
