import { workerData } from 'node:worker_threads';
import { CommitImporter, type CommitImportOptions, publishImport } from '../../commit/index.ts';
import { ItemReader } from '../stream/itemReader.ts';
import { CommitSections } from './sections.ts';
import { serveImport } from './serveImport.ts';

/** Runs as a thread of its own: builds the Merkle trees from the stream. */
const { options, slabs } = workerData as {
  readonly options: CommitImportOptions;
  readonly slabs: readonly SharedArrayBuffer[];
};
const importer = new CommitImporter(options);
const reader = new ItemReader(new CommitSections(importer));

serveImport(
  {
    piece: (bytes) => reader.push(bytes),
    finish: async () => {
      reader.finish();
      return { appHash: importer.finish() };
    },
    complete: async () => publishImport(options),
    close: async () => undefined,
  },
  slabs,
);
